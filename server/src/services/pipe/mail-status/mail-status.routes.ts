import { operations } from '@millseal/contract'
import { type Binding, bind } from '../../../http/binding.ts'
import type { PipeDependencies } from '../dependencies.ts'
import { receiveMailStatus } from './receive-mail-status.ts'

export const mailStatusRoutes = (deps: PipeDependencies): readonly Binding[] => [
  bind(operations.receiveMailStatus, receiveMailStatus(deps)),
]
