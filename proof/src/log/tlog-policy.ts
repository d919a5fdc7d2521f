import { equalBytes } from '../encoding/bytes.ts'
import type { Hashing } from '../primitives.ts'
import { type CosignerKey, parseCosignerKey } from './cosignature.ts'
import { type NoteKey, NoteRefused, parseNoteKey } from './note.ts'

export type PolicyLog = { readonly key: NoteKey; readonly url: string | undefined }
export type PolicyWitness = {
  /** Only inside of the policy; not the name of the key. */
  readonly name: string
  readonly key: CosignerKey
  readonly url: string | undefined
}
export type PolicyGroup = {
  readonly name: string
  readonly threshold: number
  /** Names of witnesses, and of groups before this one. */
  readonly members: readonly string[]
}

/** C2SP tlog-policy: which logs are known, and who must have cosigned a checkpoint. */
export type TlogPolicy = {
  readonly logs: readonly PolicyLog[]
  readonly witnesses: readonly PolicyWitness[]
  readonly groups: readonly PolicyGroup[]
  /** The name of a witness or of a group; undefined if no cosignature is required. */
  readonly quorum: string | undefined
}

/** The text is not a policy. The message begins with the number of the line. */
export class TlogPolicyUnreadable extends Error {
  override readonly name = 'TlogPolicyUnreadable'
}

const none = 'none'
/** Of each: as many as the specification recommends to support. */
const most = 32

type Reading = {
  readonly logs: PolicyLog[]
  readonly witnesses: PolicyWitness[]
  readonly groups: PolicyGroup[]
  /** Names that are members of a group. */
  readonly members: Set<string>
  quorum: string | undefined
}

/** Throws `TlogPolicyUnreadable`. */
export const parseTlogPolicy = (text: string, hashing: Hashing): TlogPolicy => {
  const lines = text.split('\n')
  const policy: Reading = { logs: [], witnesses: [], groups: [], members: new Set(), quorum: undefined }
  for (const [at, line] of lines.entries()) {
    try {
      if (at === lines.length - 1) assertEnd(line, policy)
      else readLine(line, { policy, hashing })
    } catch (cause) {
      if (cause instanceof NoteRefused) throw new TlogPolicyUnreadable(`line ${at + 1}: ${cause.message}`)
      throw cause
    }
  }
  const { logs, witnesses, groups, quorum } = policy
  return { logs, witnesses, groups, quorum: quorum === none ? undefined : quorum }
}

const assertEnd = (rest: string, { quorum }: Reading): void => {
  if (rest !== '') throw new NoteRefused('The last line has no newline')
  if (quorum === undefined) throw new NoteRefused('The policy ends without a quorum line')
}

type Context = { readonly policy: Reading; readonly hashing: Hashing }

const readLine = (line: string, context: Context): void => {
  assertCharacters(line)
  const [keyword = '', ...items] = line.split(/[ \t]+/).filter((item) => item !== '')
  if (keyword === '' || keyword.startsWith('#')) return
  const read = lineReaders.get(keyword)
  if (read === undefined) throw new NoteRefused(`Unknown keyword ${keyword}`)
  read(items, context)
}

/** The specification allows bytes from 0x80 as opaque; a text that is not UTF-8 would give them one name. */
const assertCharacters = (line: string): void => {
  if (line.includes('\r')) throw new NoteRefused('The line ends with CR LF')
  const isAllowed = [...line].every((character) => {
    const code = character.codePointAt(0) ?? 0
    return (code >= 0x20 && code !== 0x7f && code !== 0xfffd) || code === 0x09
  })
  if (!isAllowed || !line.isWellFormed())
    throw new NoteRefused('The line contains a control character, or is not UTF-8')
}

const readLog = (items: readonly string[], { policy, hashing }: Context): void => {
  const [vkey, url, ...others] = items
  if (vkey === undefined || others.length > 0) throw new NoteRefused('Expected: log <vkey> [<url>]')
  const key = parseNoteKey(vkey, hashing)
  assertRoom(policy.logs, 'logs')
  if (policy.logs.some((log) => equalBytes(log.key.publicKey, key.publicKey)))
    throw new NoteRefused(`The key of the log ${key.name} is already in another line`)
  policy.logs.push({ key, url })
}

const readWitness = (items: readonly string[], { policy, hashing }: Context): void => {
  const [name, vkey, url, ...others] = items
  if (name === undefined || vkey === undefined || others.length > 0)
    throw new NoteRefused('Expected: witness <name> <vkey> [<url>]')
  assertFree(name, policy)
  const key = parseCosignerKey(vkey, hashing)
  assertRoom(policy.witnesses, 'witnesses')
  const twin = policy.witnesses.find((one) => isSameKey(one.key, key))
  if (twin !== undefined) throw new NoteRefused(`The witness ${name} has the key of the witness ${twin.name}`)
  policy.witnesses.push({ name, key, url })
}

const readGroup = (items: readonly string[], { policy }: Context): void => {
  const [name, wanted, ...members] = items
  if (name === undefined || wanted === undefined || members.length === 0)
    throw new NoteRefused('Expected: group <name> any|all|<number> <member>…')
  assertFree(name, policy)
  assertRoom(policy.groups, 'groups')
  for (const member of members) {
    if (!isDefined(member, policy)) throw new NoteRefused(`No line before this one defines ${member}`)
    if (policy.members.has(member)) throw new NoteRefused(`${member} is already a member of a group`)
    policy.members.add(member)
  }
  policy.groups.push({ name, threshold: readThreshold(wanted, members.length), members })
}

const readThreshold = (wanted: string, members: number): number => {
  if (wanted === 'any') return 1
  if (wanted === 'all') return members
  const threshold = /^[1-9]\d{0,2}$/.test(wanted) ? Number(wanted) : 0
  if (threshold < 1 || threshold > members)
    throw new NoteRefused(`${wanted} of ${members} members: expected any, all, or a number`)
  return threshold
}

const readQuorum = (items: readonly string[], { policy }: Context): void => {
  const [name, ...others] = items
  if (name === undefined || others.length > 0) throw new NoteRefused('Expected: quorum <name>')
  if (policy.quorum !== undefined) throw new NoteRefused('There is already a quorum line')
  if (name !== none && !isDefined(name, policy))
    throw new NoteRefused(`No line before this one defines ${name}`)
  policy.quorum = name
}

const lineReaders = new Map([
  ['log', readLog],
  ['witness', readWitness],
  ['group', readGroup],
  ['quorum', readQuorum],
])

const isDefined = (name: string, { witnesses, groups }: Reading): boolean =>
  [...witnesses, ...groups].some((one) => one.name === name)

const assertFree = (name: string, policy: Reading): void => {
  if (name === none) throw new NoteRefused(`The name ${none} is already defined`)
  if (isDefined(name, policy)) throw new NoteRefused(`${name} is already defined`)
}

const assertRoom = (lines: readonly unknown[], what: string): void => {
  if (lines.length >= most) throw new NoteRefused(`The policy has too many ${what}: more than ${most}`)
}

const isSameKey = (one: CosignerKey, other: CosignerKey): boolean =>
  equalBytes(one.cosignerPublicKey, other.cosignerPublicKey)

/** Whether the cosigners with these keys are a quorum. Keys that the policy does not name do not count. */
export const isQuorum = (
  { witnesses, groups, quorum }: TlogPolicy,
  keys: readonly CosignerKey[],
): boolean => {
  if (quorum === undefined) return true
  const satisfied = new Set(
    witnesses.filter(({ key }) => keys.some((one) => isSameKey(one, key))).map(({ name }) => name),
  )
  // A group only has members that are defined before it.
  for (const { name, threshold, members } of groups)
    if (members.filter((member) => satisfied.has(member)).length >= threshold) satisfied.add(name)
  return satisfied.has(quorum)
}
