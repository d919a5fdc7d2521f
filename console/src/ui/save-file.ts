/** Saves bytes under a name, as if they were a download. */
export const saveFile = (name: string, content: Blob): void => {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser reads the bytes after the click.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** A name that every file system accepts. */
export const fileNameOf = (name: string): string =>
  name.replaceAll(/[\\/:*?"<>|\p{C}]+/gu, '-').slice(0, 120) || 'certificate'
