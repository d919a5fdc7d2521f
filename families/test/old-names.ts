export type Json = { [key: string]: unknown }

const host = 'https://schemas.s1seven.com'

export const name = (type: string, version: string): string =>
  `${host}/${type}-schemas/v${version}/schema.json`
