import type { Installation } from '@millseal/server'
import type { Steps } from './steps.ts'

export type DemoContext = {
  readonly baseUrl: string
  readonly dataDir: string
  readonly installation: Installation
  readonly steps: Steps
}
