/** The environment of a child process: only what it needs, and no setting of this process. */
export const nodeEnvironment = (): Readonly<Record<string, string>> => {
  const { PATH = '', NODE_COMPILE_CACHE: compiled } = process.env
  return { PATH, ...(compiled === undefined ? {} : { NODE_COMPILE_CACHE: compiled }) }
}
