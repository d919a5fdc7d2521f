import type { ReactNode } from 'react'
import type { Mfa } from '@millseal/contract'
import { useTexts } from '../../texts/catalog.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { useFactorRefresh } from './me-queries.ts'

/** Removing the only factor that counts switches the second factor off. */
export const isOnlyFactor = ({ passkeys, authenticators }: Mfa): boolean =>
  passkeys.length + authenticators.filter(({ confirmed }) => confirmed).length === 1

type Props = {
  readonly name: string
  readonly detail: string
  readonly consequence: string
  readonly onRemove: () => Promise<unknown>
  readonly isReady?: boolean
  /** Fields to fill in before it is removed. */
  readonly children?: ReactNode
}

/** A factor that can be removed. */
export const FactorLine = ({ name, detail, consequence, onRemove, isReady = true, children }: Props) => {
  const t = useTexts('me').mfa
  const refresh = useFactorRefresh()
  const remove = async () => {
    await onRemove()
    await refresh()
  }
  return (
    <li className="row">
      <span>
        <b>{name}</b> <span className="muted">{detail}</span>
      </span>
      <span className="end">
        <Confirm
          trigger={
            <Button kind="quiet" aria-label={t.removeTitle(name)}>
              {t.remove}
            </Button>
          }
          title={t.removeTitle(name)}
          consequence={consequence}
          action={t.remove}
          isReady={isReady}
          onConfirm={remove}
        >
          {children}
        </Confirm>
      </span>
    </li>
  )
}
