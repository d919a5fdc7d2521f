/** What a process of its own needs of ours and nothing else: no setting of this one reaches it. */
export const nodeEnvironment = (): Readonly<Record<string, string>> => {
  const { PATH = '', NODE_COMPILE_CACHE: compiled } = process.env
  return { PATH, ...(compiled === undefined ? {} : { NODE_COMPILE_CACHE: compiled }) }
}
