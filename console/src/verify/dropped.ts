import { isWanted, type Named, namedFile } from './read-file.ts'

/** The files that were dropped, and those in folders. The browser allows reading the entries only at once. */
export const droppedFiles = (data: DataTransfer): Promise<readonly Named[]> => {
  const entries = [...data.items].map((item) => item.webkitGetAsEntry?.() ?? undefined)
  if (!entries.some((entry) => entry?.isDirectory)) return Promise.resolve([...data.files].map(namedFile))
  return Promise.all(entries.filter((entry) => entry !== undefined).map(filesIn)).then((lists) =>
    lists.flat(),
  )
}

const filesIn = async (entry: FileSystemEntry): Promise<readonly Named[]> => {
  if (entry.isFile) {
    const file = await new Promise<File>((done, fail) => (entry as FileSystemFileEntry).file(done, fail))
    return [{ ...namedFile(file), name: entry.fullPath.slice(1) }].filter(isWanted)
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  const found: (readonly Named[])[] = []
  for (;;) {
    // A reader returns up to 100 entries at a time, and none at the end.
    const some = await new Promise<FileSystemEntry[]>((done, fail) => reader.readEntries(done, fail))
    if (some.length === 0) return found.flat()
    for (const one of some) found.push(await filesIn(one))
  }
}
