#!/usr/bin/env bash
# A Slurm of two nodes on this machine, for recordings and trials by hand: cluster.sh start|stop [FOLDER]
# Wants Debian's slurm-wlm and munge, and root. Everything lies in FOLDER (default /tmp/tenken-slurm); nothing of the system changes.
#   . FOLDER/env     then salloc, srun, sinfo as usual
set -euo pipefail
folder=${2:-/tmp/tenken-slurm}

start() {
  mkdir -p "$folder"/{state,spool-n1,spool-n2,tmp-n1,tmp-n2}
  chmod 700 "$folder"
  dd if=/dev/urandom of="$folder/munge.key" bs=1 count=1024 status=none
  chmod 400 "$folder/munge.key"
  cat > "$folder/slurm.conf" <<CONF
ClusterName=tenken
SlurmctldHost=$(hostname)(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket
SlurmctldPort=16817
SlurmctldPidFile=$folder/slurmctld.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdPidFile=$folder/slurmd-%n.pid
SlurmdLogFile=$folder/slurmd-%n.log
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool-%n
TmpFS=$folder/tmp-%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
MpiDefault=none
ReturnToService=2
SlurmdTimeout=6
KillWait=3
NodeName=n[1-2] NodeHostname=$(hostname) NodeAddr=127.0.0.1 Port=[17001-17002] CPUs=2 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
  printf 'CgroupAutomount=no\n' > "$folder/cgroup.conf"
  echo "export SLURM_CONF=$folder/slurm.conf" > "$folder/env"
  export SLURM_CONF=$folder/slurm.conf
  munged --force --key-file="$folder/munge.key" --socket="$folder/munge.socket" --pid-file="$folder/munged.pid" \
    --log-file="$folder/munged.log" --seed-file="$folder/munge.seed"
  slurmctld
  slurmd -N n1
  slurmd -N n2
  for _ in $(seq 100); do
    [[ $(sinfo -h -o %T 2> /dev/null | sort -u) == idle ]] && return
    sleep 0.2
  done
  echo "the nodes did not come up: see $folder/*.log" >&2
  exit 1
}

stop() {
  for name in slurmd-n1 slurmd-n2 slurmctld munged; do
    if [[ -f $folder/$name.pid ]]; then
      kill "$(cat "$folder/$name.pid")" 2> /dev/null || echo "$name had ended already"
    fi
  done
  sleep 1
  rm -rf "$folder"
}

case ${1:-} in
  start) start ;;
  stop) stop ;;
  *) echo "usage: cluster.sh start|stop [FOLDER]" >&2; exit 3 ;;
esac
