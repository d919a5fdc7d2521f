import type { ReviewState as Name } from '@millseal/contract'
import { useTexts } from '../../texts/catalog.ts'
import { State } from '../../ui/state.tsx'

const kinds = { pending: 'wait', verified: 'good', rejected: 'bad' } as const

export const ReviewState = ({ state }: { readonly state: Name }) => (
  <State kind={kinds[state]}>{useTexts('operator').states[state]}</State>
)
