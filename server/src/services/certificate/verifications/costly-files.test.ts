import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { createFileReader, type FileReader } from '@millseal/families'
import { costlyFiles } from '../../../../test/attacks/costly-files.ts'
import { silentLog } from '../../../../test/silent-log.ts'
import { Problem } from '../../../lib/problem.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { readStrangersFile } from './read-strangers-file.ts'

const small = new Uint8Array(Buffer.from('%PDF-1.7\n'))

/** Reads a file from this address; the code and the wait of the problem, or what kind of file it is. */
const outcomeOf = async (reader: FileReader, bytes: Uint8Array, ip: string): Promise<string> => {
  const deps = { reader } as CertificateDependencies
  try {
    return (await readStrangersFile(deps, bytes, { ip })).file
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return [error.code, error.retryAfterSeconds].join(' ').trim()
  }
}

const open = (options: Partial<Parameters<typeof createFileReader>[0]> = {}) =>
  createFileReader({ workers: 1, log: silentLog, nowMs: () => 0, ...options })

describe('files that anybody may send', () => {
  test('are parsed by no module of the verification in this thread', async () => {
    const parsers = /\b(?:readCertificate|readDocument|extractEmbeddedCertificate|readJson|canonicalJson)\b/
    const names = (await readdir(import.meta.dirname)).filter((name) => /^(?!.*test).*\.ts$/.test(name))
    assert.ok(names.includes('verify.ts') && names.length > 5)
    for (const name of names) {
      assert.doesNotMatch(await readFile(join(import.meta.dirname, name), 'utf8'), parsers, name)
    }
  })

  test('end with an answer within the processor time of one file, the most costly ones too', async () => {
    await using reader = open({ processorMsPerMinute: 0 })
    const outcomes: string[] = []
    for (const { body } of costlyFiles) outcomes.push(await outcomeOf(reader, body, '203.0.113.1'))
    for (const outcome of outcomes) assert.match(outcome, /^(?:pdf|body_too_large|file_too_costly)$/)
  })

  test('get 429 once their address has used its processor time; an IPv6 network is one address', async () => {
    await using reader = open({ processorMsPerMinute: 1 })
    const [costly] = costlyFiles
    await outcomeOf(reader, costly?.body ?? small, '2001:db8::1')
    assert.equal(await outcomeOf(reader, small, '2001:db8::2'), 'rate_limited 60')
    assert.equal(await outcomeOf(reader, small, '2001:db8:0:1::1'), 'pdf')
  })

  test('get 422 if one takes too much processor time', async () => {
    await using reader = open({ processorMs: 0 })
    const [costly] = costlyFiles
    assert.equal(await outcomeOf(reader, costly?.body ?? small, '203.0.113.1'), 'file_too_costly')
  })
})
