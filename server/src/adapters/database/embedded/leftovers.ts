import { execFile } from 'node:child_process'
import { readdir, readFile, readlink, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { DatabaseLog } from '../postgres.ts'

const pollMs = 20
/** Each signal and its time limit: clean shutdown, immediate shutdown, kill. */
const escalation: readonly (readonly [NodeJS.Signals, number])[] = [
  ['SIGINT', 8_000],
  ['SIGQUIT', 4_000],
  ['SIGKILL', 4_000],
]

export interface ClusterPlace {
  readonly folder: string
  readonly socketFolder: string
}

/**
 * Stops database processes that survived a crash in a cluster's folder, and deletes lock files that name an unrelated
 * process or a zombie. The caller holds the lock of the folder, so these processes have no owner any more.
 */
export async function stopLeftovers({ folder, socketFolder }: ClusterPlace, log: DatabaseLog): Promise<void> {
  for (const [signal, patienceMs] of escalation) {
    const left = await findProcesses(folder)
    if (left.length === 0) break
    const postmaster = await readPostmasterPid(folder)
    const targets =
      postmaster !== undefined && left.includes(postmaster) && signal !== 'SIGKILL' ? [postmaster] : left
    // Without a postmaster, the other processes stop by themselves.
    if (targets !== left || signal !== 'SIGINT') {
      log.warn({ processes: targets, signal }, 'stopping a database that an earlier server left running')
      for (const pid of targets) sendSignal(pid, signal)
    }
    if (await isEmptyWithin(folder, patienceMs)) break
  }
  const named = await readPostmasterPid(folder)
  if (named !== undefined && isAlive(named)) await rm(join(folder, 'postmaster.pid'), { force: true })
  await rm(join(socketFolder, '.s.PGSQL.5432.lock'), { force: true })
}

async function isEmptyWithin(folder: string, patienceMs: number): Promise<boolean> {
  const deadline = performance.now() + patienceMs
  while ((await findProcesses(folder)).length > 0) {
    if (performance.now() > deadline) return false
    await delay(pollMs)
  }
  return true
}

/** The working directory of every PostgreSQL process is its cluster's folder. */
async function findProcesses(folder: string): Promise<number[]> {
  if (process.platform !== 'linux') return await findByCommand(folder)
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const inside = await Promise.all(pids.map(async (pid) => (await workingFolder(pid)) === folder))
  return pids.filter((_, index) => inside[index]).map(Number)
}

/** Undefined for a zombie and for a process of another user. */
async function workingFolder(pid: string): Promise<string | undefined> {
  return await readlink(`/proc/${pid}/cwd`).catch(() => undefined)
}

async function findByCommand(folder: string): Promise<number[]> {
  const pid = await readPostmasterPid(folder)
  if (pid === undefined) return []
  const found = await promisify(execFile)('ps', ['-o', 'args=', '-p', String(pid)]).catch(() => undefined)
  return found?.stdout.includes(folder) ? [pid] : []
}

async function readPostmasterPid(folder: string): Promise<number | undefined> {
  const text = await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '')
  const pid = Number.parseInt(text, 10)
  return pid > 0 ? pid : undefined
}

function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function isAlive(pid: number): boolean {
  return sendSignal(pid, 0)
}
