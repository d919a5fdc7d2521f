import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { shellBlocksOf } from './commands-in-docs.ts'
import { lacksPackage } from '../../../server/test/debian-package.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../../../server/test/temporary-folder.ts'

const run = promisify(execFile)
const deployed = join(import.meta.dirname, '../../../deploy')
const composer = '/usr/bin/docker-compose'
const skip = await lacksPackage({ name: 'docker-compose', file: composer })

/** Runs the script with which a container of this file starts, in a folder in place of its file system. */
const start = async (
  file: string,
  service: string,
  changes: readonly (readonly [string, string])[],
): Promise<void> => {
  const [, part = ''] = file.split(`\n  ${service}:\n`)
  const [, script = ''] = /- \|\n((?: {8}.*\n)+)/.exec(part) ?? []
  const here = [...changes, ['$$', '$'] as const].reduce(
    (text, [shipped, local]) => text.replaceAll(shipped, () => local),
    script.replace(/^ *exec .*$/m, ''),
  )
  await run('sh', ['-ec', here], { env: { PATH: '/usr/bin:/bin', SECRET: 'of-the-broker' } })
}

describe('compose.yaml', { skip }, () => {
  let folder: TemporaryFolder
  let compose: string
  before(async () => {
    folder = await makeTemporaryFolder()
    compose = await readFile(join(deployed, 'container/compose.yaml'), 'utf8')
    const example = await readFile(join(deployed, 'container/.env.example'), 'utf8')
    await writeFile(join(folder.path, '.env'), example.replaceAll(/=$/gm, '=filled-in'))
  })
  after(() => folder[Symbol.asyncDispose]())

  const read = async (text: string, ...args: readonly string[]): Promise<string> => {
    const file = join(folder.path, 'compose.yaml')
    await writeFile(file, text)
    const { stdout } = await run(composer, [
      '--project-directory',
      folder.path,
      '-f',
      file,
      'config',
      ...args,
    ])
    return stdout
  }

  test('describes processes of two kinds, a database, a broker and a proxy', async () => {
    const services = (await read(compose, '--services')).trim().split('\n').toSorted()
    assert.deepEqual(services, ['api', 'postgres', 'proxy', 'rabbitmq', 'worker'])
    const full = await read(compose)
    assert.equal(full.match(/read_only: true/g)?.length, 2)
    await assert.rejects(read(compose.replace('read_only: true', 'read_only: maybe')))
    await assert.rejects(read(compose.replace('x-settings: &settings', 'settings: &settings')))
  })

  test('gives the processes every setting of .env, and its own before those', async () => {
    const text = compose.replace('env_file: .env', 'env_file: given.env')
    assert.notEqual(text, compose)
    const given = 'OTEL_EXPORTER_OTLP_ENDPOINT=http://collector:4318\nMILLSEAL_ROLES=broker\n'
    await writeFile(join(folder.path, 'given.env'), given)
    const full = await read(text)
    assert.equal(full.match(/OTEL_EXPORTER_OTLP_ENDPOINT: http:..collector:4318/g)?.length, 2)
    assert.deepEqual(full.match(/(?<=MILLSEAL_ROLES: ).*/g), ['api', 'worker'])
  })

  test('sends nginx to the processes and to RabbitMQ', async () => {
    const made = join(folder.path, 'default.conf')
    const names = join(folder.path, 'resolv.conf')
    await writeFile(names, 'search example.org\nnameserver 10.9.8.7\nnameserver 10.9.8.6\n')
    await start(compose, 'proxy', [
      ['/shipped/', `${deployed}/nginx/`],
      ['/etc/nginx/conf.d/default.conf', made],
      ['${HOST_NAME:?}', 'mill.example.org'],
      ['/etc/resolv.conf', names],
    ])
    const configuration = await readFile(made, 'utf8')
    const servers = [...configuration.matchAll(/^ *server (\S+:\d+ resolve) /gm)].map(([, server]) => server)
    assert.deepEqual(servers, ['api:8080 resolve', 'rabbitmq:15675 resolve'])
    assert.match(configuration, /^resolver 10\.9\.8\.7 valid/)
    assert.deepEqual(configuration.match(/(?<=zone )\w+/g), ['millseal_servers', 'millseal_mqtt_servers'])
    assert.ok(!/127\.0\.0\.1|millseal\.example\.com/.test(configuration), configuration)
    assert.match(configuration, /listen 8090;/)
  })

  test('gives RabbitMQ every setting of its configuration', async () => {
    await mkdir(join(folder.path, 'rabbitmq'))
    await cp(join(deployed, 'rabbitmq'), join(folder.path, 'given'), { recursive: true })
    const certificates = join(folder.path, 'certificates')
    await mkdir(certificates)
    for (const name of ['fullchain.pem', 'key.pem']) await writeFile(join(certificates, name), name)
    await start(compose, 'rabbitmq', [
      ['/shipped/', `${join(folder.path, 'given')}/`],
      ['/etc/rabbitmq/', `${join(folder.path, 'rabbitmq')}/`],
      ['/certificates/', `${certificates}/`],
      ['-o rabbitmq', `-o ${userInfo().uid}`],
    ])
    assert.equal((await stat(join(folder.path, 'rabbitmq/key.pem'))).mode & 0o777, 0o600)
    const configuration = await readFile(join(folder.path, 'rabbitmq/rabbitmq.conf'), 'utf8')
    const settings = configuration.replaceAll(/^#.*$/gm, '')
    assert.ok(!/[<>]|127\.0\.0\.1/.test(settings), settings)
    assert.equal(settings.match(/rabbitmq:of-the-broker@proxy:8090/g)?.length, 4)
  })
})

describe('compose.s3.yaml', { skip }, () => {
  const names = ['compose.yaml', 'compose.s3.yaml', '.env.example'] as const
  let overlay: string
  let command: string
  before(async () => {
    overlay = await readFile(join(deployed, 'container/compose.s3.yaml'), 'utf8')
    const page = await readFile(join(deployed, '../docs/deploy.md'), 'utf8')
    const block = shellBlocksOf('deploy.md', page).find(({ section }) => section === 'S3 on the same host')
    command = block?.commands.split('\ndocker compose ')[0] ?? ''
  })

  /** The whole configuration, after `activate` in the folder of a plain installation. */
  const read = async (activate: string, changed = overlay): Promise<string> => {
    await using folder = await makeTemporaryFolder()
    for (const name of names) await cp(join(deployed, 'container', name), join(folder.path, name))
    await writeFile(join(folder.path, 'compose.s3.yaml'), changed)
    const example = await readFile(join(folder.path, '.env.example'), 'utf8')
    const plain = example.replaceAll(/^(?!MILLSEAL_S3_)(.*)=$/gm, '$1=filled-in')
    await writeFile(join(folder.path, '.env'), plain)
    await run('sh', ['-ec', activate], { cwd: folder.path })
    return (await run(composer, ['config'], { cwd: folder.path })).stdout
  }
  const serviceIn = (full: string, name: string): string =>
    new RegExp(`^  ${name}:\\n((?: {4}.*\\n|\\n)+)`, 'm').exec(full.split(/^services:$/m)[1] ?? '')?.[1] ?? ''
  const valueIn = (text: string, name: string): string | undefined =>
    new RegExp(`^ *${name}: (.*)$`, 'm').exec(text)?.[1]

  const assertUsable = (full: string): void => {
    const store = serviceIn(full, 's3')
    assert.ok(!store.includes('ports:'), 'the host publishes it')
    for (const limit of [/read_only: true/, /cap_drop:\n *- ALL/, /- no-new-privileges/, /healthcheck:/])
      assert.match(store, limit)
    for (const role of ['api', 'worker']) {
      const service = serviceIn(full, role)
      assert.equal(valueIn(service, 'MILLSEAL_ROLES'), role)
      assert.equal(valueIn(service, 'MILLSEAL_FILES'), 's3', role)
      const { hostname } = new URL(valueIn(service, 'MILLSEAL_S3_ENDPOINT') ?? '')
      assert.notEqual(serviceIn(full, hostname), '', `no service ${hostname}`)
      for (const needed of ['postgres', 'rabbitmq', 's3'])
        assert.match(service, new RegExp(`depends_on:\\n(?: {6}.*\\n)*? {6}${needed}:`))
      assert.equal(valueIn(service, 'MILLSEAL_S3_KEY_ID'), valueIn(store, 'ROOT_ACCESS_KEY'))
      assert.equal(valueIn(service, 'MILLSEAL_S3_SECRET'), valueIn(store, 'ROOT_SECRET_KEY'))
      assert.match(valueIn(store, 'ROOT_SECRET_KEY') ?? '', /^[\da-f]{64}$/)
    }
  }

  test('changes nothing before the command of the page', async () => {
    const full = await read('true')
    assert.equal(serviceIn(full, 's3'), '')
    assert.match(serviceIn(full, 'api'), /MILLSEAL_S3_KEY_ID: ''/)
    assert.ok(!full.includes('MILLSEAL_FILES'))
  })

  test('gives all processes the bucket of a store that only they reach', async () => {
    assertUsable(await read(command))
  })

  for (const [what, from, to, reason] of [
    ['a field that does not exist', 'read_only:', 'readonly:', /readonly/],
    ['a dependency that does not exist', '\n    s3:\n      condition', '\n    s4:\n      condition', /s4/],
    ['an address that does not exist', '//s3:', '//s4:', /no service s4/],
    ['a variable that .env.example lacks', '{MILLSEAL_S3_SECRET:', '{S3_SECRET:', /S3_SECRET/],
    ['a kind of processes without it', '  worker: *millseal\n', '', /worker/],
    ['a port of the host', '    read_only:', '    ports: ["7070:7070"]\n    read_only:', /publishes/],
    ['a capability', 'cap_drop: [ALL]', 'cap_drop: [MKNOD]', /ALL/],
  ] as const)
    test(`would be noticed with ${what}`, async () => {
      const changed = overlay.replaceAll(from, to)
      assert.notEqual(changed, overlay)
      await assert.rejects(read(command, changed).then(assertUsable), reason)
    })

  test('makes the bucket that it names, and keeps it', async () => {
    await using folder = await makeTemporaryFolder()
    const [, bucket = ''] = /MILLSEAL_S3_BUCKET: (.*)/.exec(overlay) ?? []
    const changes = [['/data/', `${folder.path}/`]] as const
    await start(overlay, 's3', changes)
    await writeFile(join(folder.path, bucket, 'object'), 'kept')
    await start(overlay, 's3', changes)
    assert.equal(await readFile(join(folder.path, bucket, 'object'), 'utf8'), 'kept')
  })
})
