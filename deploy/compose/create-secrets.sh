#!/bin/sh
# Writes .env, from which compose.yaml takes its secrets, and a self-signed certificate. Existing ones are left as they are.
set -eu
cd "$(dirname "$0")/../.."
umask 077
if [ ! -e .env ]; then
  random() { openssl rand -hex 24; }
  cat > .env <<EOT
POSTGRES_PASSWORD=$(random)
GOVERNANCE_OWNER_PASSWORD=$(random)
GOVERNANCE_PROGRAMS_PASSWORD=$(random)
SVC_MASTER_KEY=$(openssl rand -base64 32)
GOVERNANCE_CONNECTOR_SECRET=$(random)
EOT
  echo "Wrote .env. Keep a copy of SVC_MASTER_KEY in another place."
fi
tls=deploy/compose/tls
if [ ! -e $tls/governance.pem ]; then
  mkdir -p $tls
  openssl req -x509 -newkey rsa:2048 -nodes -days 365 -subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1 \
    -keyout $tls/key.pem -out $tls/certificate.pem 2> /dev/null
  cat $tls/certificate.pem $tls/key.pem > $tls/governance.pem
  # The account of the proxy reads them.
  chmod 755 $tls
  chmod 644 $tls/*.pem
  echo "Wrote a self-signed certificate to $tls."
fi
