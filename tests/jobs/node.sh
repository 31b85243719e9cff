#!/bin/sh
# What a launcher of MPI calls in place of ssh: [-x] ADDRESS WORD... Each node is a network namespace
# of this machine, called after the last number of its address, and has a host's name of its own.
[ "$1" = -x ] && shift
node=${1##*.}
shift
exec ip netns exec "$NODES-$node" unshare --uts sh -c "hostname node-$node; $*"
