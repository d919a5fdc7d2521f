import { RE2JS } from 're2js'
import type { Meter } from './meter.ts'

const maxPatternLength = 1_000
const maxProgramSize = 2_000
/** Characters times states that cost about as much as one step. */
const workPerStep = 4_096

/** Compiles a pattern that matches in linear time (RE2). Throws for look-around, back-references and large patterns. */
export const compilePattern = (pattern: string): RE2JS => {
  if (pattern.length > maxPatternLength)
    throw new TypeError(`The pattern has more than ${maxPatternLength} characters`)
  const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern))
  if (compiled.programSize() > maxProgramSize)
    throw new TypeError('The pattern repeats too much to be matched safely')
  return compiled
}

/** Replaces `RegExp` in ajv. Linear time still means text times program, so both are charged. */
export const linearPatterns = (
  meter: Meter,
): {
  (pattern: string, flags: string): { test(text: string): boolean }
  code: string
} => {
  const engine = (pattern: string) => {
    const compiled = compilePattern(pattern)
    const size = compiled.programSize()
    const matches = cached((text) => compiled.test(text))
    return {
      test: (text: string): boolean => {
        meter.charge(Math.floor((text.length * size) / workPerStep))
        return matches(text)
      },
      toString: () => `re2:${pattern}`,
    }
  }
  return Object.assign(engine, { code: 'linearPattern' })
}

const maxCached = 500
const maxCachedLength = 40

/** Most matched texts are field names, which a certificate repeats a thousand times. */
const cached = (matches: (text: string) => boolean): ((text: string) => boolean) => {
  const known = new Map<string, boolean>()
  return (text) => {
    if (text.length > maxCachedLength) return matches(text)
    const answer = known.get(text) ?? matches(text)
    if (known.size < maxCached) known.set(text, answer)
    return answer
  }
}
