export { canonicalJson } from './json/canonical.ts'
export { JsonError, type JsonRules, type JsonValue, readJson } from './json/read.ts'
