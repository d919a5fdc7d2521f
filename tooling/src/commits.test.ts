import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { git } from './git.ts'

const maxLength = 72
const root = join(import.meta.dirname, '../..')

const ask = (...args: string[]): string | undefined => {
  try {
    return git(root, ...args).trim()
  } catch {
    return undefined
  }
}

/** The last state that others have; undefined in a checkout without a remote, tags or history. */
const findPublished = (): string | undefined =>
  ask('rev-parse', '--verify', '--quiet', 'origin/HEAD') ?? ask('describe', '--tags', '--abbrev=0')

test(`subjects of new commits have at most ${maxLength} characters`, () => {
  const published = findPublished()
  const subjects = published === undefined ? '' : (ask('log', '--format=%s', `${published}..HEAD`) ?? '')
  assert.deepEqual(
    subjects.split('\n').filter((subject) => subject.length > maxLength),
    [],
  )
})
