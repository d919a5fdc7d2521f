import { useRouterState } from '@tanstack/react-router'
import { useTexts } from '../texts/catalog.ts'
import { ChoiceMenu } from '../ui/choice-menu.tsx'
import { AccountMenu } from './account-menu.tsx'
import { CompanyMenu } from './company-menu.tsx'
import { hasMode, useChangeHere, useHere } from './here.ts'

/** For which company, in which mode and as whom everything on the screen is done. */
export const Who = () => {
  const { session, membership } = useHere()
  return (
    <div className="who">
      <span className="mark" aria-hidden="true">
        {initialsOf(membership?.company.name ?? session.me.username)}
      </span>
      <CompanyMenu />
      <AccountMenu />
      <ModeChip />
    </div>
  )
}

const initialsOf = (name: string): string =>
  (name.match(/[\p{L}\p{N}]+/gu) ?? [])
    .slice(0, 2)
    .map(([letter = '']) => letter.toLocaleUpperCase())
    .join('')

const modes = ['test', 'live'] as const

/** Its colour says the mode from afar. Somebody who may work in both changes it here. */
const ModeChip = () => {
  const t = useTexts('shell')
  const common = useTexts('common')
  const { mode, membership, isLiveReady } = useHere()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const change = useChangeHere()
  if (!hasMode(path, membership)) return null
  const className = `mode ${mode}`
  if (!isLiveReady) return <span className={className}>{common[mode]}</span>
  return (
    <ChoiceMenu
      label={t.mode}
      className={className}
      options={modes.map((id) => ({ id, label: common[id] }))}
      value={mode}
      onChange={(next) => change({ mode: next === 'live' ? 'live' : 'test' })}
    />
  )
}
