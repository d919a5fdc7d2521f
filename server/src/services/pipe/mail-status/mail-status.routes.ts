import { operations } from '@millseal/contract'
import { type Binding, bindTo } from '../../../http/binding.ts'
import type { PipeDependencies } from '../dependencies.ts'
import { receiveMailStatus } from './receive-mail-status.ts'

export const mailStatusRoutes = (deps: PipeDependencies): readonly Binding[] => [
  bindTo(deps)(operations.receiveMailStatus, receiveMailStatus),
]
