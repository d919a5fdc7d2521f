import type { Texts } from '../languages.ts'

export const texts: Texts['problems'] = {}
