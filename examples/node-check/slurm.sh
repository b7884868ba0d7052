#!/usr/bin/env bash
# Drains this node where a rule of [drain] in /etc/tenken/config.toml is met; otherwise the node takes jobs. In slurm.conf:
#   Prolog=/etc/slurm/tenken-drain.sh
# or, on idle nodes once an hour:
#   HealthCheckProgram=/etc/slurm/tenken-drain.sh
#   HealthCheckInterval=3600
#   HealthCheckNodeState=IDLE
tenken=${1:-/opt/tenken/bin/tenken}
reason=$("$tenken" node-check --prolog 2>/dev/null)
if [[ $? -eq 1 && $reason == DRAIN* ]]; then
  scontrol update nodename="${SLURMD_NODENAME:-$(hostname -s)}" state=drain reason="tenken: ${reason%%$'\n'*}"
fi
exit 0
