/** Rings of the suite: tests of the first start neither a browser nor a process. Names of files say them. */
export type Ring = 'first' | 'browser' | 'process'

export const ringOf = (path: string): Ring => {
  if (/\.browser\.test\.\w+$/.test(path)) return 'browser'
  return /\.process\.test\.\w+$/.test(path) ? 'process' : 'first'
}
