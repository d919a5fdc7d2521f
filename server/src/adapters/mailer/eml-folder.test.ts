import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { generousDeadline } from '../../../test/eventually.ts'
import type { Mailer } from '../../ports/mailer/mailer.ts'
import { MailRefused } from '../../ports/mailer/mailer.ts'
import { describeMailer, mailWith, suiteSender } from '../../ports/mailer/mailer.suite.ts'
import { readMessage } from '../../lib/read-message.ts'
import { createEmlFolderMailer } from './eml-folder.ts'

interface Opened extends AsyncDisposable {
  readonly folder: string
  readonly mailer: Mailer
  readonly clock: { time: number; now(): number }
}

const open = async (): Promise<Opened> => {
  const parent = await mkdtemp(join(tmpdir(), `millseal-test-${process.pid}-`))
  const folder = join(parent, 'mails')
  const clock = { time: Date.UTC(2026, 1, 3, 4, 5, 6, 789), now: () => clock.time, steady: () => clock.time }
  const mailer = createEmlFolderMailer({ folder, from: suiteSender, clock })
  return { folder, mailer, clock, [Symbol.asyncDispose]: () => rm(parent, { recursive: true }) }
}

const filesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => [])

describeMailer('eml folder', async () => {
  const opened = await open()
  return {
    mailer: opened.mailer,
    async delivered() {
      const raws = await Promise.all(
        (await filesIn(opened.folder)).map((name) => readFile(join(opened.folder, name))),
      )
      return raws.map((raw) => ({ raw, recipients: readMessage(raw).recipients }))
    },
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  }
})

describe('a folder of mails', () => {
  test('is sorted by time, readable only by its owner, and contains only complete mails', async () => {
    await using opened = await open()
    for (const id of ['b', 'a', 'c']) {
      await opened.mailer.send(mailWith({ id }))
      opened.clock.time += 1_000
    }
    const names = (await filesIn(opened.folder)).toSorted()
    assert.deepEqual(names, [
      '2026-02-03T04-05-06.789Z_b.eml',
      '2026-02-03T04-05-07.789Z_a.eml',
      '2026-02-03T04-05-08.789Z_c.eml',
    ])
    assert.equal((await stat(opened.folder)).mode & 0o777, 0o700)
    for (const name of names) {
      assert.equal((await stat(join(opened.folder, name))).mode & 0o777, 0o600)
      const text = (await readFile(join(opened.folder, name))).toString('latin1')
      assert.doesNotMatch(text, /[^\r]\n|\r[^\n]/, 'RFC 5322 ends lines with CRLF')
    }
  })

  test('contains one file for a mail that is sent twice, later or at the same time', async () => {
    await using opened = await open()
    await Promise.all([1, 2, 3].map(() => opened.mailer.send(mailWith())))
    const before = await filesIn(opened.folder)
    opened.clock.time += 60_000
    await opened.mailer.send(mailWith())
    assert.equal(before.length, 1)
    assert.deepEqual(await filesIn(opened.folder), before)
  })

  test('that cannot be written causes an error that can be retried, and check reports it', async () => {
    await using opened = await open()
    await writeFile(opened.folder, 'a file in the place of the folder')
    await assert.rejects(opened.mailer.send(mailWith()), (error) => !(error instanceof MailRefused))
    await assert.rejects(opened.mailer.check(generousDeadline()))
    await rm(opened.folder)
    await opened.mailer.send(mailWith())
    assert.equal((await filesIn(opened.folder)).length, 1)
  })

  test('has the text of a mail as it is, so that a link can be copied from the file', async () => {
    await using opened = await open()
    const link = `https://mill.example/confirm-email?token=${'3Dk'.repeat(40)}`
    const html = `<p><a href="${link}">Grüße</a></p>`
    await opened.mailer.send(mailWith({ id: 'a', text: `Grüße\n\n${link}\n`, html }))
    await opened.mailer.send(mailWith({ id: 'b', text: `${'long '.repeat(300)}\n`, html }))
    const [first = '', second = ''] = (await filesIn(opened.folder)).toSorted()
    const lines = (await readFile(join(opened.folder, first), 'utf8')).split('\r\n')
    assert.ok(lines.includes(link))
    assert.ok(lines.includes('Grüße'))
    const long = await readFile(join(opened.folder, second))
    assert.ok(
      long
        .toString()
        .split('\r\n')
        .every((line) => line.length <= 998),
    )
    const part = readMessage(long).parts.find(({ type }) => type === 'text/plain')
    assert.equal(part?.content.toString().trim(), 'long '.repeat(300).trim())
  })
})
