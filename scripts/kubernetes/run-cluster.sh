#!/bin/sh
# Runs the cluster that build-cluster.sh has built, on the loopback interface, until it is interrupted: etcd, the API
# server, the controller manager, and hollow nodes, whose kubelets are real and whose containers are made up. A hollow
# node has 1 core and 3,840 MiB, and its pods do not end by themselves.
#
#   CROFT_KUBERNETES=FOLDER sh scripts/kubernetes/run-cluster.sh STATE [NODES]
#
# STATE is a new folder; STATE/kubeconfig may do everything. Ports from 16443 (CROFT_KUBERNETES_PORT) on are taken.
set -eu

programs=${CROFT_KUBERNETES:?"set CROFT_KUBERNETES to the folder of build-cluster.sh"}/bin
state=${1:?"name a new folder for the cluster's state"}
nodes=${2:-2}
port=${CROFT_KUBERNETES_PORT:-16443}
mkdir "$state"
state=$(cd "$state" && pwd)
cd "$state"

pids=
trap 'kill $pids 2>/dev/null || true' EXIT
trap 'exit 130' INT TERM
run() {
  name=$1
  shift
  "$@" >"$name.log" 2>&1 &
  pids="$pids $!"
}

etcd=http://127.0.0.1:$((port + 1))
peer=http://127.0.0.1:$((port + 2))
run etcd "$programs/etcd" --data-dir=etcd --listen-client-urls="$etcd" --advertise-client-urls="$etcd" \
  --listen-peer-urls="$peer" --initial-advertise-peer-urls="$peer" --initial-cluster="default=$peer"

openssl genrsa -out sa.key 2048 2>/dev/null
echo 'admin-token,admin,1,system:masters' >tokens.csv
cat >kubeconfig <<CONFIG
apiVersion: v1
kind: Config
current-context: test
contexts: [{ name: test, context: { cluster: test, user: admin } }]
clusters: [{ name: test, cluster: { server: "https://127.0.0.1:$port", insecure-skip-tls-verify: true } }]
users: [{ name: admin, user: { token: admin-token } }]
CONFIG
run kube-apiserver "$programs/kube-apiserver" --etcd-servers="$etcd" --bind-address=127.0.0.1 \
  --advertise-address=127.0.0.1 --secure-port="$port" --insecure-port=0 --cert-dir=certs \
  --service-account-key-file=sa.key --service-account-signing-key-file=sa.key \
  --service-account-issuer=https://127.0.0.1 --token-auth-file=tokens.csv --authorization-mode=RBAC \
  --disable-admission-plugins=ServiceAccount --service-cluster-ip-range=10.0.0.0/24

api() {
  curl --silent --fail --insecure --header 'Authorization: Bearer admin-token' "https://127.0.0.1:$port$1"
}
until api /readyz >/dev/null; do sleep 0.2; done
run kube-controller-manager "$programs/kube-controller-manager" --kubeconfig=kubeconfig --leader-elect=false \
  --use-service-account-credentials=false --service-account-private-key-file=sa.key --secure-port=0 --port=0

node=1
while [ "$node" -le "$nodes" ]; do
  run "hollow-$node" env TMPDIR="$state" "$programs/kubemark" --morph=kubelet --name="hollow-$node" --kubeconfig=kubeconfig \
    --kubelet-port=$((port + 1000 + node)) --kubelet-read-only-port=$((port + 2000 + node)) \
    --kube-api-content-type=application/json
  node=$((node + 1))
done
until [ "$(api /api/v1/nodes | grep -c '"reason": "KubeletReady"')" -ge "$nodes" ]; do sleep 0.5; done
echo "$state/kubeconfig: $nodes nodes are ready"
wait
