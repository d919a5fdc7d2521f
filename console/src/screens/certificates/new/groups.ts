import type { Entry, FileState } from './entry.ts'

/** The filters of the table. */
export const groupNames = ['all', 'correct', 'valid', 'doubtful', 'working', 'recorded', 'failed'] as const
export type GroupName = (typeof groupNames)[number]

const groups: Readonly<Record<FileState, Exclude<GroupName, 'all'>>> = {
  added: 'working',
  unreadable: 'correct',
  repeated: 'correct',
  invalid: 'correct',
  valid: 'valid',
  doubtful: 'doubtful',
  queued: 'working',
  sent: 'working',
  waiting: 'recorded',
  recorded: 'recorded',
  failed: 'failed',
}

export const entriesIn = (group: GroupName, entries: readonly Entry[]): readonly Entry[] =>
  group === 'all' ? entries : entries.filter(({ state }) => groups[state] === group)
