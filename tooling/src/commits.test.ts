import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'

const maxLength = 72
const root = join(import.meta.dirname, '../..')

const git = (...args: string[]): string | undefined => {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

/** The last state that others have; undefined in a checkout without a remote, tags or history. */
const findPublished = (): string | undefined =>
  git('rev-parse', '--verify', '--quiet', 'origin/HEAD') ?? git('describe', '--tags', '--abbrev=0')

test(`subjects of new commits have at most ${maxLength} characters`, () => {
  const published = findPublished()
  const subjects = published === undefined ? '' : (git('log', '--format=%s', `${published}..HEAD`) ?? '')
  assert.deepEqual(
    subjects.split('\n').filter((subject) => subject.length > maxLength),
    [],
  )
})
