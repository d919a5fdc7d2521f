import type { UserResponse } from '@millseal/contract'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { useTexts } from '../../texts/catalog.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'

/** Deactivates a user, or activates one again. */
export const ChangeStatus = ({ user: { id, username, status } }: { readonly user: UserResponse }) => {
  const t = useTexts('operator').users
  const queries = useQueryClient()
  const isActive = status === 'active'
  const action = isActive ? t.deactivate : t.activate
  const change = async () => {
    await api.updateUser({ params: { id }, body: { status: isActive ? 'inactive' : 'active' } })
    await queries.invalidateQueries({ queryKey: ['operator', 'users'] })
  }
  return (
    <Confirm
      trigger={<Button aria-label={`${action}: ${username}`}>{action}</Button>}
      title={(isActive ? t.deactivateTitle : t.activateTitle)(username)}
      consequence={(isActive ? t.deactivateText : t.activateText)(username)}
      action={action}
      onConfirm={change}
    />
  )
}
