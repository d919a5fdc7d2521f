import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { openInstallation, startOn } from '../../test/installation.ts'
import { nodeEnvironment } from '../../test/node-environment.ts'
import {
  type Asked,
  type FaultyS3,
  lacksS3,
  startFaultyS3,
  startS3,
  type TestS3,
} from '../../test/s3-server.ts'
import { createS3Files } from '../adapters/files/s3/s3.ts'
import type { Config } from '../config.ts'
import { createLog } from '../lib/log.ts'
import { FilesUnavailable } from '../ports/files/files.ts'
import { backUp } from './backup.ts'
import { openForCommand } from './commands.ts'
import { restore } from './restore.ts'

const backupProcess = join(import.meta.dirname, '../../test/backup-process.ts')

/** More than two objects carry. */
const mailBytes = 9 * 2 ** 20

describe('a backup in S3', { skip: await lacksS3() }, () => {
  let s3: TestS3
  let proxy: FaultyS3
  before(async () => {
    s3 = await startS3()
    proxy = await startFaultyS3(s3)
  })
  after(async () => {
    await proxy[Symbol.asyncDispose]()
    await s3[Symbol.asyncDispose]()
  })

  /** An installation with one entry in its log and a large mail, whose backups go through the proxy. */
  const open = async () => {
    proxy.fault = () => undefined
    const installed = await openInstallation({
      ...s3.settingsOf('files'),
      MILLSEAL_S3_ENDPOINT: proxy.address,
    })
    const config = installed.settingsOf('folder')
    await installed.record(config)
    await mkdir(join(config.dataDir, 'mails'))
    await writeFile(join(config.dataDir, 'mails/large.eml'), randomBytes(mailBytes))
    const keyFile = join(installed.path, 'key')
    await writeFile(keyFile, 'a key with sixteen characters\n')
    const targetOf = (name: string): Config => ({
      ...installed.settingsOf('folder', name),
      databaseUrl: undefined,
    })
    return { installed, config, keyFile, targetOf }
  }
  /** Resolves when a second part was sent. The store does not answer it. */
  const holdSecondPart = (): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    proxy.fault = ({ method, key }) => {
      if (method !== 'PUT' || !key.endsWith('-0000000002')) return undefined
      resolve()
      return 'silent'
    }
    return promise
  }
  const addressOf = (name: string): string => `s3://millseal/backups/${name}`
  const objectsOf = (name: string) => createS3Files(s3.placeOf(`backups/${name}`))
  const partsOf = async (name: string): Promise<readonly string[]> =>
    (await objectsOf(name).list()).filter((one) => one.startsWith('part-'))

  test('is made beside a running server and restored with its key, with no plain file in between', async () => {
    const { installed, config, keyFile, targetOf } = await open()
    await using _installed = installed
    const saving = { name: addressOf('monday'), keyFile, includeKeys: false }
    {
      await using _running = await startOn(config)
      const during = new Set<string>()
      const onProgress = (): void => {
        for (const name of readdirSync(installed.path)) during.add(name)
      }
      const { logs, files } = await backUp(config, { ...saving, onProgress })
      assert.deepEqual(logs, { test: 2, live: 0 })
      assert.ok(files.some(({ path, bytes }) => path === 'data/mails/large.eml' && bytes === mailBytes))
      assert.deepEqual([...during].toSorted(), (await readdir(installed.path)).toSorted())
    }
    const names = await objectsOf('monday').list()
    assert.ok(names.length >= 4, String(names))
    for (const name of names)
      assert.equal((await objectsOf('monday').read(name))?.includes('formatVersion'), false)

    const target = targetOf('restored')
    assert.deepEqual((await restore(target, saving)).problems, [])
    assert.ok(
      (await readFile(join(target.dataDir, 'mails/large.eml'))).equals(
        await readFile(join(config.dataDir, 'mails/large.eml')),
      ),
    )
    assert.equal(await installed.record(target), 4)
  })

  test('is never written over another one, and needs a key file and a name', async () => {
    const { installed, config, keyFile } = await open()
    await using _installed = installed
    const saving = { name: addressOf('twice'), keyFile, includeKeys: false }
    await backUp(config, saving)
    const names = await objectsOf('twice').list()
    for (const clean of [false, true])
      await assert.rejects(backUp(config, { ...saving, clean }), /twice exists: choose a new name/)
    assert.deepEqual(await objectsOf('twice').list(), names)
    await assert.rejects(backUp(config, { ...saving, keyFile: undefined }), /use --key-file/)
    await assert.rejects(backUp(config, { ...saving, name: 's3://millseal' }), /expected s3:\/\/bucket\/name/)
    const keyless = { ...config, s3Secret: undefined }
    await assert.rejects(backUp(keyless, saving), /MILLSEAL_S3_SECRET: required for a backup in S3/)
  })

  test('succeeds, and is restored, although every third answer is a fault', async () => {
    const { installed, config, keyFile, targetOf } = await open()
    await using _installed = installed
    const saving = { name: addressOf('faulty'), keyFile, includeKeys: false }
    const faults = [503, 'lost', 500, 'cut'] as const
    let asked = 0
    proxy.fault = () => {
      asked += 1
      return asked % 3 === 0 ? faults[(asked / 3) % faults.length] : undefined
    }
    await backUp(config, saving)
    assert.deepEqual((await restore(targetOf('restored'), saving)).problems, [])
    assert.ok(asked > 20)
  })

  test('is not there, and says so, if the store failed before its end', async () => {
    const { installed, config, keyFile, targetOf } = await open()
    await using _installed = installed
    const saving = { name: addressOf('cut'), keyFile, includeKeys: false }
    const isPart = ({ method, key }: Asked) => method === 'PUT' && key.endsWith('-0000000002')
    let isDown = false
    proxy.fault = (asked) => {
      isDown ||= isPart(asked)
      return isDown ? 503 : undefined
    }
    await assert.rejects(backUp(config, saving), FilesUnavailable)
    proxy.fault = () => undefined
    assert.equal((await partsOf('cut'))[0]?.slice(-10), '0000000001')
    await assert.rejects(restore(targetOf('restored'), saving), /cut is not complete/)
    await assert.rejects(backUp(config, saving), /cut has an unfinished backup: .* --clean/)
    // With a store that answers again in between, nothing stays.
    const again = { ...saving, name: addressOf('again') }
    proxy.fault = (asked) => (isPart(asked) ? 503 : undefined)
    await assert.rejects(backUp(config, again), FilesUnavailable)
    assert.deepEqual(await objectsOf('again').list(), [])
    await assert.rejects(restore(targetOf('restored'), again), /is not a backup/)
  })

  test('leaves objects if its command is killed, which the next one removes with --clean, and no others', async () => {
    const { installed, config, keyFile, targetOf } = await open()
    await using _installed = installed
    const saving = { name: addressOf('killed'), keyFile, includeKeys: false }
    const neighbour = { ...saving, name: addressOf('killed-not') }
    await backUp(config, neighbour)
    const isAsked = holdSecondPart()
    const child = spawn(process.execPath, [backupProcess, saving.name, keyFile], {
      env: { ...nodeEnvironment(), ...installed.environmentOf('folder') },
      stdio: 'ignore',
    })
    await isAsked
    child.kill('SIGKILL')
    await once(child, 'close')
    proxy.fault = () => undefined
    const left = await partsOf('killed')
    assert.equal(left.length, 1)
    await assert.rejects(backUp(config, saving), /killed has an unfinished backup/)
    await backUp(config, { ...saving, clean: true })
    assert.equal((await partsOf('killed')).includes(left[0] ?? ''), false)
    await proxy.release()
    for (const [at, one] of [saving, neighbour].entries())
      assert.deepEqual((await restore(targetOf(`restored-${at}`), one)).problems, [])
  })

  test('fails if another command takes its place with --clean, and harms nothing of it', async () => {
    const { installed, config, keyFile, targetOf } = await open()
    await using _installed = installed
    const saving = { name: addressOf('taken'), keyFile, includeKeys: false }
    const isAsked = holdSecondPart()
    const slow = assert.rejects(backUp(config, saving), /Another command writes a backup to .*taken/)
    await isAsked
    proxy.fault = () => undefined
    await backUp(config, { ...saving, clean: true })
    await slow
    assert.deepEqual((await restore(targetOf('restored'), saving)).problems, [])
  })

  test('never takes a name below which there is something else', async () => {
    const { installed, config, keyFile } = await open()
    await using _installed = installed
    await objectsOf('others').put([{ name: 'ledger/checkpoint', bytes: Buffer.from('of a log') }])
    const saving = { name: addressOf('others'), keyFile, includeKeys: false, clean: true }
    await assert.rejects(backUp(config, saving), /not of a backup \(ledger\/checkpoint\): choose a new name/)
    assert.deepEqual(await objectsOf('others').list(), ['ledger/checkpoint'])
  })

  test('is refused before anything changes if objects are missing, changed or exchanged, or with another key', async () => {
    const { installed, config, keyFile, targetOf } = await open()
    await using _installed = installed
    const saving = { name: addressOf('damaged'), keyFile, includeKeys: false }
    await backUp(config, saving)
    const objects = objectsOf('damaged')
    const [one = '', two = ''] = await partsOf('damaged')
    const [first, second] = await Promise.all([objects.read(one), objects.read(two)])
    assert.ok(first && second)
    const exchange = async (name: string, bytes: Buffer): Promise<void> => {
      await objects.remove([name])
      await objects.put([{ name, bytes }])
    }
    const refused = (reason: RegExp) => assert.rejects(restore(targetOf('restored'), saving), reason)
    await objects.remove([two])
    await refused(/incomplete: .*-0000000002 is missing/)
    await exchange(two, first)
    await refused(/damaged, or its end is missing/)
    await exchange(two, Buffer.from(second).fill(0, 100, 101))
    await refused(/damaged, or its end is missing/)
    await exchange(two, second)
    const wrong = join(installed.path, 'wrong')
    await writeFile(wrong, 'another key with as many\n')
    await assert.rejects(
      restore(targetOf('restored'), { ...saving, keyFile: wrong }),
      /encrypted with another key/,
    )
    assert.equal((await readdir(installed.path)).includes('restored'), false)
    assert.deepEqual((await restore(targetOf('restored'), saving)).problems, [])
  })
})

describe('a backup', () => {
  test('has every character of a text, also those that end lines elsewhere', async () => {
    await using installed = await openInstallation()
    const config = installed.settingsOf('folder')
    await installed.record(config)
    const text = 'one\u2028two\u2029three\u0085four\r\nfive'
    await sql`
      insert into broker_vhost (name) values (${text})
      on conflict (only_one) do update set name = excluded.name`.execute(installed.database.query)
    const name = join(installed.path, 'backup')
    await backUp(config, { name, includeKeys: false })
    const target: Config = { ...installed.settingsOf('folder', 'restored'), databaseUrl: undefined }
    assert.deepEqual((await restore(target, { name })).problems, [])
    await using restored = await openForCommand(target, createLog('silent'))
    const { rows } = await sql<{ name: string }>`select name from broker_vhost`.execute(restored.query)
    assert.deepEqual(rows, [{ name: text }])
  })
})
