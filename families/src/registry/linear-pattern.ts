import { RE2JS } from 're2js'
import type { Meter } from './meter.ts'

const maxPatternLength = 1_000
const maxProgramSize = 2_000
/** Characters times states that cost about as much as a step. */
const workPerStep = 4_096

/** A pattern that matches in time linear in the text (RE2). Throws for look-around, back-references and giants. */
export const compilePattern = (pattern: string): RE2JS => {
  if (pattern.length > maxPatternLength)
    throw new TypeError(`A pattern has more than ${maxPatternLength} characters`)
  const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern))
  if (compiled.programSize() > maxProgramSize)
    throw new TypeError('A pattern repeats too much to be matched safely')
  return compiled
}

type PatternEngine = {
  (pattern: string, flags: string): { test(text: string): boolean }
  code: string
}

/** What ajv takes instead of `RegExp`. Linear still means text times program, so both are charged. */
export const linearPatterns = (meter: Meter): PatternEngine => {
  const engine = (pattern: string) => {
    const compiled = compilePattern(pattern)
    const size = compiled.programSize()
    const matches = remembering((text) => compiled.test(text))
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

const maxRemembered = 500
const maxRememberedLength = 40

/** Most texts that meet a pattern are names of fields, and a certificate repeats them a thousand times. */
const remembering = (matches: (text: string) => boolean): ((text: string) => boolean) => {
  const known = new Map<string, boolean>()
  return (text) => {
    if (text.length > maxRememberedLength) return matches(text)
    const answer = known.get(text) ?? matches(text)
    if (known.size < maxRemembered) known.set(text, answer)
    return answer
  }
}
