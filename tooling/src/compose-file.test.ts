import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { lacksPackage } from '../../server/test/debian-package.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../../server/test/temporary-folder.ts'

const run = promisify(execFile)
const deployed = join(import.meta.dirname, '../../deploy')
const composer = '/usr/bin/docker-compose'
const skip = await lacksPackage({ name: 'docker-compose', file: composer })

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

  /** Runs the script with which a container starts, in a folder in place of its file system. */
  const start = async (service: string, changes: readonly (readonly [string, string])[]): Promise<void> => {
    const [, part = ''] = compose.split(`\n  ${service}:\n`)
    const [, script = ''] = /- \|\n((?: {8}.*\n)+)/.exec(part) ?? []
    const here = [...changes, ['$$', '$'] as const].reduce(
      (text, [shipped, local]) => text.replaceAll(shipped, () => local),
      script.replace(/^ *exec .*$/m, ''),
    )
    await run('sh', ['-ec', here], { env: { PATH: '/usr/bin:/bin', SECRET: 'of-the-broker' } })
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
    await start('proxy', [
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
    await start('rabbitmq', [
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
