import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { Suspense, useEffect, useRef, useState } from 'react'
import { certificateQuery } from '../api/certificate.ts'
import { useTexts } from '../texts/catalog.ts'
import { useFormats } from '../texts/format.ts'
import { Button } from '../ui/button.tsx'
import { Loading } from '../ui/screen.tsx'
import { helpAddress } from './help.ts'
import { useHere } from './here.ts'
import { Icon } from './icons.tsx'
import { useHasMailFolder } from './mail-folder.ts'
import { ModeBand } from './mode-band.tsx'
import { type Shown, useCounts } from './counts.ts'
import { navigation, type ScreenName } from './navigation.ts'
import { ServerAway } from './server-away.tsx'
import { SessionEnded } from './session-ended.tsx'
import { Who } from './who.tsx'

/** The frame of every screen. */
export const Layout = () => {
  const t = useTexts('shell')
  const [isMenuOpen, setMenuOpen] = useState(false)
  const main = useRef<HTMLElement>(null)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const shown = useRef(path)
  useEffect(() => {
    if (shown.current === path) return
    shown.current = path
    setMenuOpen(false)
    // Screen readers read the title of the new screen; the next tab key begins there.
    main.current?.querySelector('h1')?.focus()
  }, [path])
  return (
    <div className="shell">
      <a className="skip" href="#content">
        {t.skip}
      </a>
      <header className="top">
        <ModeBand />
        <div className="topbar">
          <Button kind="quiet" onPress={() => setMenuOpen(!isMenuOpen)} aria-expanded={isMenuOpen}>
            ☰ {t.menu}
          </Button>
          <b>Millseal</b>
        </div>
      </header>
      <nav aria-label={t.mainNavigation} data-open={isMenuOpen}>
        <Who />
        <Sections />
        <div className="foot">
          <Link to="/" className="brand">
            Millseal
          </Link>
        </div>
      </nav>
      <main id="content" ref={main}>
        <ServerAway />
        <Suspense fallback={<Loading />}>
          <Outlet />
        </Suspense>
      </main>
      <SessionEnded />
    </div>
  )
}

/** Follows the screen. In a new tab, so that nothing typed on the screen is lost. */
const Help = () => {
  const t = useTexts('shell')
  const path = useRouterState({ select: ({ matches }) => matches.at(-1)?.fullPath })
  return (
    <a href={helpAddress(path)} target="_blank" rel="noreferrer" hrefLang="en">
      <Icon of="help" />
      {t.screens.help}
    </a>
  )
}

const on = { className: 'on', 'aria-current': 'page' } as const

/** True for a certificate that another company issued: it was opened from the received ones. */
const useShowsReceived = (): boolean => {
  const { membership } = useHere()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const [, id = ''] = /^\/certificates\/([^/]+)$/.exec(path) ?? []
  const company = membership?.company.id ?? ''
  const isOne = id !== '' && company !== ''
  const { data } = useQuery({ ...certificateQuery({ company, id }), enabled: isOne })
  return isOne && data !== undefined && data.owner !== company
}

const Sections = () => {
  const t = useTexts('shell')
  const { may, membership, mode } = useHere()
  const counts = useCounts()
  const hasMailFolder = useHasMailFolder()
  const showsReceived = useShowsReceived()
  return navigation.map(({ name, entries }) => {
    const shown = entries.filter(
      ({ needs, ofCompany, ofMailFolder }) =>
        (needs === undefined || may(needs)) &&
        (ofCompany !== true || membership !== undefined) &&
        (ofMailFolder !== true || hasMailFolder === true),
    )
    return shown.length === 0 ? null : (
      <div key={name ?? 'first'} className="section">
        {name !== undefined && <small>{t.sections[name]}</small>}
        {shown.map(({ to, name: screen }) => (
          <Link
            key={screen}
            to={to}
            activeProps={on}
            activeOptions={{ exact: screen === 'certificates' && showsReceived }}
            {...(screen === 'received' && showsReceived && on)}
          >
            <Icon of={screen} />
            {t.screens[screen]}
            <Count name={screen} shown={counts[screen]} />
          </Link>
        ))}
        {name === undefined && (
          <>
            <a href={`/verify?mode=${mode}`}>
              <Icon of="verify" />
              {t.screens.verify}
            </a>
            <Help />
          </>
        )}
      </div>
    )
  })
}

const Count = ({ name, shown }: { readonly name: ScreenName; readonly shown: Shown | undefined }) => {
  const { counted } = useTexts('shell')
  const { number } = useFormats()
  if (shown === undefined || shown.count === 0) return null
  const text = `${number(shown.count)}${shown.isExact ? '' : '+'}`
  const words = name === 'received' || name === 'webhooks' || name === 'reviews' ? counted[name] : undefined
  return (
    <span className={shown.isUrgent ? 'count urgent' : 'count'}>
      {text}
      {words !== undefined && ` ${words}`}
    </span>
  )
}
