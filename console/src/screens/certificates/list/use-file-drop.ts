import { useEffect, useRef, useState } from 'react'

const filesOf = async (entry: FileSystemEntry): Promise<File[]> => {
  if (entry.isFile) {
    const { promise, resolve, reject } = Promise.withResolvers<File>()
    ;(entry as FileSystemFileEntry).file(resolve, reject)
    return [await promise]
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  const found: File[] = []
  // Each call returns a part of the folder; the last one returns nothing.
  for (;;) {
    const { promise, resolve, reject } = Promise.withResolvers<FileSystemEntry[]>()
    reader.readEntries(resolve, reject)
    const part = await promise
    if (part.length === 0) return found
    for (const inner of part) found.push(...(await filesOf(inner)))
  }
}

const droppedFiles = async (data: DataTransfer): Promise<File[]> => {
  // The items are gone after the first wait, so take the entries before.
  const entries = [...data.items].map((item) => item.webkitGetAsEntry())
  const plain = [...data.files]
  const found = await Promise.all(entries.filter((entry) => entry !== null).map(filesOf))
  const files = found.flat()
  return files.length === 0 ? plain : files
}

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true

/** Accepts files and folders dropped anywhere on the page. Returns true while some are held over it. */
export const useFileDrop = (onFiles: ((files: readonly File[]) => void) | undefined): boolean => {
  const [isOver, setOver] = useState(false)
  const take = useRef(onFiles)
  useEffect(() => {
    take.current = onFiles
  })
  const isActive = onFiles !== undefined
  useEffect(() => {
    if (!isActive) return undefined
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(true)
    }
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false)
    }
    const drop = (event: DragEvent) => {
      if (!hasFiles(event) || event.dataTransfer === null) return
      event.preventDefault()
      setOver(false)
      void droppedFiles(event.dataTransfer).then((files) => take.current?.(files))
    }
    const stop = new AbortController()
    const options = { signal: stop.signal }
    window.addEventListener('dragenter', over, options)
    window.addEventListener('dragover', over, options)
    window.addEventListener('dragleave', leave, options)
    window.addEventListener('drop', drop, options)
    return () => stop.abort()
  }, [isActive])
  return isOver
}
