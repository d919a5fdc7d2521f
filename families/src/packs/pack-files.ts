export type PackFile = { readonly name: string; readonly bytes: Uint8Array }

/** Where packs are stored, by names such as `packs/pack-0123456789abcdef/manifest.json`. */
export type PackFiles = {
  /** The names of all files in a folder and its subfolders. */
  list(folder: string): Promise<readonly string[]>
  /** Undefined if there is no such file. Rejects only if the files cannot be read now. */
  read(name: string): Promise<Buffer | undefined>
  /** Resolves when they are on disk. Again is allowed with the same bytes. */
  put(files: readonly PackFile[]): Promise<void>
  /** Removes these files, and all files in folders of these names. */
  remove(names: readonly string[]): Promise<void>
}

const packsFolder = 'packs'

export const listPackFiles = (files: PackFiles): Promise<readonly string[]> => files.list(packsFolder)

export const inPack = (pack: string, path: string): string => `${packsFolder}/${pack}/${path}`

/** Written last and removed first: a pack without it does not exist. */
export const manifestOf = (pack: string): string => inPack(pack, 'manifest.json')

export const folderOf = (pack: string): string => `${packsFolder}/${pack}`
