// What one rank may count on of its node's caches.
#pragma once

namespace tenken {

// Bytes for data; 0 where the system tells nothing.
struct CacheShare {
  double second_level = 0;
  double last_level = 0;    // the second itself where there is no further one
  double second_cache = 0;  // one whole cache of the second level, the smallest that the rank reaches
};

}  // namespace tenken
