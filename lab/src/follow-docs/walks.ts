/** Commands of a page, and what is done with the result. */
export type Step = {
  readonly page: string
  /** Without one, the whole page. */
  readonly section?: string
  /** A script that is run after the commands, and is not on the page. */
  readonly afterwards?: string
}

export type Walk = {
  /** The part of docs/deploy.md whose commands must all be among the steps. */
  readonly part: string
  /** Of Debian. */
  readonly release: string
  /** In the order in which the pages tell an operator to follow them. */
  readonly steps: readonly Step[]
  /** What stands for things that a machine of its own would have. */
  readonly replaced: readonly string[]
  /** Prints why something may have failed. */
  readonly logs: string
}

export const deployPage = 'docs/deploy.md'
const rabbitMqPage = 'deploy/rabbitmq/README.md'
const onPage = (section: string, afterwards?: string): Step => ({
  page: deployPage,
  section,
  afterwards,
})

const replaced = [
  'in place of a new machine: a fresh Debian in a container with systemd, which reaches registries only',
  'in place of a release: git clone of this checkout into /opt/millseal, as last committed',
  'in place of an entry in the DNS: millseal.example.com in /etc/hosts',
  'in place of a certificate that everybody trusts: the one that the page makes',
]

const inCheckout = 'cd /opt/millseal'
const client =
  'NODE_EXTRA_CA_CERTS=/etc/ssl/millseal/fullchain.pem .runtime/bin/node lab/src/follow-docs/client.ts'
const units = ['millseal@api-1', 'millseal@api-2', 'millseal@worker-1', 'millseal@worker-2']

const debian: Walk = {
  part: 'Install it on Debian',
  release: 'bookworm',
  steps: [
    onPage('Packages'),
    onPage('One process'),
    onPage('Database'),
    onPage('Certificate'),
    { page: rabbitMqPage },
    onPage('Settings'),
    onPage('Processes'),
    onPage('Proxy'),
    onPage('First operator'),
    onPage(
      'Try it',
      `systemctl is-active ${units.join(' ')} postgresql rabbitmq-server nginx
systemctl --failed
${inCheckout}
${client}`,
    ),
  ],
  replaced,
  logs: "journalctl --no-pager --lines 20 --unit 'millseal*' --unit rabbitmq-server --unit nginx || true",
}

const useContainers = `${inCheckout}/deploy/container
docker compose ps --format '{{.Name}}: {{.Status}}'
${inCheckout}
${client} --data "$(docker volume inspect --format '{{.Mountpoint}}' millseal_data)"`

/** Each object begins with 17 bytes that are not part of the file. S: the disk has what was written. */
const findInBucket = `bucket=$(docker volume inspect --format '{{.Mountpoint}}' millseal_s3)/millseal
curl --silent --fail --cacert /etc/ssl/millseal/fullchain.pem https://millseal.example.com/ledger/test/checkpoint >/tmp/checkpoint
cmp /tmp/checkpoint <(tail -c +18 "$bucket/ledger/test/checkpoint")
lsattr "$bucket/ledger/test/checkpoint" | grep --quiet '^--S'
echo "  found the newest checkpoint in the bucket, among $(find "$bucket" -type f | wc -l) objects"`

const containers: Walk = {
  part: 'Run it in containers',
  release: 'trixie',
  steps: [
    onPage(
      'Engine',
      `apt-get install -y --no-install-recommends debootstrap
${inCheckout}
lab/src/follow-docs/images.sh docker .runtime`,
    ),
    onPage('Image'),
    onPage('Certificate'),
    onPage('One container'),
    onPage('Several containers', useContainers),
    onPage('Number of processes', useContainers),
    onPage('S3 on the same host', `${useContainers}\n${findInBucket}`),
    onPage('Stop and start', `${useContainers}\n${findInBucket}`),
  ],
  replaced: [
    ...replaced,
    'in place of a registry of images: images of the same names, made by images.sh of packages of Debian and of the sources of versitygw',
  ],
  logs: `${inCheckout}/deploy/container; docker compose ps --all; docker compose logs --tail 20 || true`,
}

export const walks = { debian, containers } as const
