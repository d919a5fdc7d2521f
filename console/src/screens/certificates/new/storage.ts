import type { Entry } from './entry.ts'

const databaseName = 'millseal.new'
const storeName = 'files'
const keptMs = 30 * 86_400_000

const settled = <T>(request: IDBRequest<T>): Promise<T> => {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  request.addEventListener('success', () => resolve(request.result))
  request.addEventListener('error', () => reject(request.error ?? new Error('The browser refused to store')))
  return promise
}

const finished = (transaction: IDBTransaction): Promise<void> => {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  transaction.addEventListener('complete', () => resolve())
  transaction.addEventListener('abort', () =>
    reject(transaction.error ?? new Error('The browser refused to store')),
  )
  return promise
}

const open = (): Promise<IDBDatabase> => {
  const request = indexedDB.open(databaseName, 1)
  request.addEventListener('upgradeneeded', () => {
    request.result.createObjectStore(storeName, { keyPath: 'id' }).createIndex('owner', 'owner')
  })
  return settled(request)
}

let opened: Promise<IDBDatabase> | undefined
const database = (): Promise<IDBDatabase> => (opened ??= open())

/** The files of an owner, oldest first. Those that nobody has touched for a month are deleted. */
export const loadEntries = async (owner: string): Promise<Entry[]> => {
  const transaction = (await database()).transaction(storeName)
  const all = (await settled(transaction.objectStore(storeName).index('owner').getAll(owner))) as Entry[]
  const old = all.filter(({ addedAt }) => addedAt < Date.now() - keptMs)
  if (old.length > 0) await deleteEntries(old.map(({ id }) => id))
  return all.filter((entry) => !old.includes(entry)).toSorted((a, b) => a.order - b.order)
}

export const storeEntries = async (entries: readonly Entry[]): Promise<void> => {
  const transaction = (await database()).transaction(storeName, 'readwrite')
  const done = finished(transaction)
  for (const entry of entries) transaction.objectStore(storeName).put(entry)
  await done
}

export const deleteEntries = async (ids: readonly string[]): Promise<void> => {
  const transaction = (await database()).transaction(storeName, 'readwrite')
  const done = finished(transaction)
  for (const id of ids) transaction.objectStore(storeName).delete(id)
  await done
}
