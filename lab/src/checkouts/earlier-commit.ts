import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { listFiles } from '../../../tooling/src/sources.ts'

const folder = 'server/src/migrations'

/**
 * The newest commit whose migrations are those of this checkout without the last ones: what runs while this version starts.
 * Undefined without a history that goes back so far.
 */
export const findEarlierCommit = async (root: string): Promise<string | undefined> => {
  const git = async (...args: string[]): Promise<string[]> => {
    const { stdout } = await promisify(execFile)('git', args, { cwd: root, maxBuffer: 2 ** 24 })
    return stdout.split('\n').filter((line) => line !== '')
  }
  const paths = (await listFiles(root, [`${folder}/0*.sql`])).toSorted()
  const hashes = await git('hash-object', ...paths)
  const present = paths.map((path, at) => `${hashes[at]} ${path}`)
  const commits = await git('log', '--first-parent', '--format=%H', '--', folder)
  for (const commit of commits) {
    const listed = await git('ls-tree', '--format=%(objectname) %(path)', `${commit}^`, `${folder}/`).catch(
      () => [],
    )
    const found = listed.filter((line) => /\/0\d+-[^/]*\.sql$/.test(line))
    const isPart = found.every((line, at) => line === present[at])
    if (isPart && found.length > 0 && found.length < present.length) return `${commit}^`
  }
  return undefined
}
