import type { Installation } from '@millseal/server'
import type { Connection, ConnectOptions } from '@millseal/sdk'
import type { Steps } from './steps.ts'

export type DemoContext = {
  readonly baseUrl: string
  readonly connectWith: (as: Omit<ConnectOptions, 'baseUrl'>) => Connection
  readonly dataDir: string
  readonly installation: Installation
  readonly steps: Steps
}
