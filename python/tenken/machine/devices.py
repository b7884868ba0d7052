"""Whether this node has a device for kernels that need a device, as the driver reports."""

from __future__ import annotations

import ctypes

CUDA_DRIVER = "libcuda.so.1"


def cuda_devices(driver: str = CUDA_DRIVER) -> int:
    """The CUDA devices that a process may use here; 0 without a driver, or where the driver refuses."""
    try:
        library = ctypes.CDLL(driver)
        count = ctypes.c_int(0)
        if library.cuInit(0) != 0 or library.cuDeviceGetCount(ctypes.byref(count)) != 0:
            return 0
    except (OSError, AttributeError):  # no such library, or no driver
        return 0
    return max(count.value, 0)
