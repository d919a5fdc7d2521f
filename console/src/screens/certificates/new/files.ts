import { isServerAway, subscribeToReachability } from '../../../api/reachable.ts'
import { signedInChannel } from '../../../shell/sign-in-again.tsx'
import { type Entry, type FileState, type Owner, ownerKeyOf } from './entry.ts'
import { deleteEntries, loadEntries, storeEntries } from './storage.ts'
import { certificateIn } from './read-file.ts'
import { check, follow, Postponed, send } from './work.ts'

export type Pause = { readonly why: Postponed['why']; readonly seconds: number }

export type Snapshot = {
  readonly entries: readonly Entry[]
  /** The files that are being checked or sent at this moment. */
  readonly busy: ReadonlySet<string>
  readonly pause: Pause | undefined
  /** False if another tab does the work. */
  readonly isWorking: boolean
  readonly isLoaded: boolean
  /** The browser cannot store the files, so the tab must stay open. */
  readonly isForgetful: boolean
}

const replaceable: ReadonlySet<FileState> = new Set(['invalid', 'unreadable', 'repeated', 'doubtful'])
const parallel = 4
const followMs = 1_500
const channelName = 'millseal.new'

type Message = { readonly owner: string; readonly removed?: readonly string[] }

/**
 * The files of one owner and the work on them. It continues while the console is open, on whatever screen, in the one
 * tab that has a lock of the browser.
 */
export class Files {
  private readonly entries = new Map<string, Entry>()
  private readonly busy = new Set<string>()
  private readonly listeners = new Set<() => void>()
  private readonly channel = new BroadcastChannel(channelName)
  private readonly key: string
  private readonly owner: Owner
  private pause: Pause | undefined
  private isFollowing = false
  private isWorking = false
  private isLoaded = false
  private isForgetful = false
  private snapshotted: Snapshot | undefined

  constructor(owner: Owner) {
    this.owner = owner
    this.key = ownerKeyOf(owner)
    this.channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
      if (data.owner === this.key) void this.reload(data.removed)
    })
    new BroadcastChannel(signedInChannel).addEventListener('message', () => this.resume('signed-out'))
    subscribeToReachability(() => {
      if (!isServerAway()) this.resume('away')
    })
    void this.reload().then(() => this.lead())
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => void this.listeners.delete(listener)
  }

  readonly snapshot = (): Snapshot =>
    (this.snapshotted ??= {
      entries: [...this.entries.values()].toSorted((a, b) => a.order - b.order),
      busy: new Set(this.busy),
      pause: this.pause,
      isWorking: this.isWorking,
      isLoaded: this.isLoaded,
      isForgetful: this.isForgetful,
    })

  /** A file replaces one of the same name that could not be used, or is doubtful. */
  async add(files: readonly { readonly name: string; readonly content: Blob }[]): Promise<void> {
    await this.loaded
    const names = new Set(files.map(({ name }) => name))
    const useless = [...this.entries.values()].filter(
      ({ name, state }) => names.has(name) && replaceable.has(state),
    )
    if (useless.length > 0) await this.remove(useless.map(({ id }) => id))
    const first = Math.max(0, ...[...this.entries.values()].map(({ order }) => order)) + 1
    const added = await Promise.all(
      files.map(
        async ({ name, content }, index): Promise<Entry> => ({
          id: crypto.randomUUID(),
          owner: this.key,
          revision: 1,
          addedAt: Date.now(),
          order: first + index,
          name,
          // A copy: the file on disk may be moved before it is its turn.
          bytes: new Blob([await certificateIn(await content.arrayBuffer())], { type: 'application/json' }),
          state: 'added',
        }),
      ),
    )
    await this.put(added)
    this.pump()
  }

  /** From here on, these certificates are sent, even if the tab is closed before. Doubtful ones only if they are accepted. */
  async notarize(ids: readonly string[], identity: string, isAccepted = false): Promise<void> {
    const seen = new Map<string, string>()
    await this.change(ids, ({ hash, name }) => {
      const sameAs = hash === undefined ? undefined : seen.get(hash)
      if (sameAs !== undefined) return { state: 'repeated', sameAs }
      if (hash !== undefined) seen.set(hash, name)
      return { state: 'queued', identity, idempotencyKey: crypto.randomUUID(), fault: undefined, isAccepted }
    })
    this.pump()
  }

  /** Repeats failed files from the step that failed. */
  async again(ids: readonly string[]): Promise<void> {
    await this.change(ids, ({ identity, state }) =>
      identity === undefined || state !== 'failed'
        ? { state: 'added', fault: undefined, unreadable: undefined }
        : {
            state: 'queued',
            idempotencyKey: crypto.randomUUID(),
            fault: undefined,
            certificate: undefined,
            // The server may have learned to find more since somebody accepted.
            isAccepted: false,
          },
    )
    this.pump()
  }

  /** For the seller whom the certificate names, although another company was first. */
  async recordOwn(id: string): Promise<void> {
    await this.change([id], () => ({
      state: 'queued',
      idempotencyKey: crypto.randomUUID(),
      isOwn: true,
      isElsewhere: undefined,
      wasThere: undefined,
      fault: undefined,
    }))
    this.pump()
  }

  async remove(ids: readonly string[]): Promise<void> {
    for (const id of ids) this.entries.delete(id)
    this.announce()
    await this.stored(() => deleteEntries(ids))
    this.tell({ owner: this.key, removed: ids })
  }

  private readonly ready = Promise.withResolvers<void>()
  private readonly loaded = this.ready.promise

  private async reload(removed: readonly string[] = []): Promise<void> {
    for (const id of removed) this.entries.delete(id)
    await this.stored(async () => {
      for (const entry of await loadEntries(this.key)) {
        const known = this.entries.get(entry.id)
        if (known === undefined || known.revision < entry.revision) this.entries.set(entry.id, entry)
      }
    })
    this.isLoaded = true
    this.ready.resolve()
    this.announce()
    this.pump()
  }

  /** Waits until no other tab works on these files, then works on them until this tab is closed. */
  private async lead(): Promise<void> {
    const work = async (): Promise<void> => {
      this.isWorking = true
      await this.reload()
      await new Promise<never>(() => {})
    }
    await navigator.locks.request(`${channelName}/${this.key}`, work)
  }

  private async stored(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch {
      this.isForgetful = true
    }
  }

  private async change(ids: readonly string[], changeOf: (entry: Entry) => Partial<Entry>): Promise<void> {
    await this.put(
      ids.flatMap((id) => {
        const entry = this.entries.get(id)
        return entry === undefined ? [] : [{ ...entry, ...changeOf(entry), revision: entry.revision + 1 }]
      }),
    )
  }

  private async put(entries: readonly Entry[]): Promise<void> {
    for (const entry of entries) this.entries.set(entry.id, entry)
    this.announce()
    await this.stored(() => storeEntries(entries))
    this.tell({ owner: this.key })
  }

  private tell(message: Message): void {
    this.channel.postMessage(message)
  }

  private announce(): void {
    this.snapshotted = undefined
    for (const listener of this.listeners) listener()
  }

  private resume(why: Pause['why']): void {
    if (this.pause?.why !== why) return
    this.pause = undefined
    this.announce()
    this.pump()
  }

  private postpone({ why, seconds }: Postponed): void {
    this.pause = { why, seconds }
    this.announce()
    if (why === 'limit') setTimeout(() => this.resume('limit'), seconds * 1_000)
    // The shell notices only by its own calls that the server is away, so try again without it.
    if (why === 'away') setTimeout(() => !isServerAway() && this.resume('away'), 5_000)
  }

  /** Starts as much work as may run at the same time. */
  private pump(): void {
    if (!this.isWorking || !this.isLoaded || this.pause !== undefined) return
    const waiting = this.snapshot().entries.filter(({ id }) => !this.busy.has(id))
    const next = [
      ...waiting.filter(({ state }) => state === 'queued'),
      ...waiting.filter(({ state }) => state === 'added'),
    ]
    for (const entry of next.slice(0, Math.max(0, parallel - this.busy.size))) void this.work(entry)
    if (!this.isFollowing && waiting.some(({ state }) => state === 'sent')) void this.followSent()
  }

  private async work(entry: Entry): Promise<void> {
    this.busy.add(entry.id)
    this.announce()
    try {
      const change =
        entry.state === 'queued'
          ? await send(entry, this.owner)
          : await check(entry, this.owner, this.snapshot().entries)
      await this.change([entry.id], () => change)
    } catch (error) {
      if (error instanceof Postponed) this.postpone(error)
      else await this.change([entry.id], () => ({ state: 'failed', fault: unexpected(error) }))
    } finally {
      this.busy.delete(entry.id)
      this.announce()
      this.pump()
    }
  }

  private async followSent(): Promise<void> {
    this.isFollowing = true
    try {
      const sent = this.snapshot().entries.filter(({ state }) => state === 'sent')
      const changes = await follow(sent, this.owner)
      if (changes.size > 0) await this.change([...changes.keys()], ({ id }) => changes.get(id) ?? {})
    } catch (error) {
      if (error instanceof Postponed) this.postpone(error)
    }
    setTimeout(() => {
      this.isFollowing = false
      this.pump()
    }, followMs)
  }
}

const unexpected = (error: unknown) => ({
  code: undefined,
  message: error instanceof Error ? error.message : String(error),
  findings: [],
  requestId: undefined,
})
