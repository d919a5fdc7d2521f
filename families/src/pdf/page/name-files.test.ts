import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameFiles } from './name-files.ts'

test('names of attached files are unique, have no path, and none is that of the certificate', () => {
  const named = (...names: string[]) =>
    nameFiles(names.map((name) => ({ name, type: 'x', base64: 'YQ==' }))).map(({ name }) => name)
  assert.deepEqual(named('../../etc/passwd', 'a b.pdf', '', 'CERTIFICATE.json', 'a b.pdf', '.ssh', 'a\nb'), [
    'etc-passwd',
    'a b.pdf',
    'attachment-3',
    '2-CERTIFICATE.json',
    '2-a b.pdf',
    'ssh',
    'a-b',
  ])
})
