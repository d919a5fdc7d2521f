import { type ReactNode, useEffect } from 'react'
import { useTexts } from '../texts/catalog.ts'

/** A screen: its title, which is also the title of the tab, its actions, and its content. */
export const Screen = ({
  title,
  aside,
  actions,
  children,
}: {
  readonly title: string
  /** The state, beside the title. */
  readonly aside?: ReactNode
  /** The actions, at the end of the line. */
  readonly actions?: ReactNode
  readonly children: ReactNode
}) => {
  useEffect(() => {
    document.title = `${title} · Millseal`
  }, [title])
  return (
    <>
      <header className="row">
        <h1 tabIndex={-1}>{title}</h1>
        {aside}
        <span className="end row">{actions}</span>
      </header>
      {children}
    </>
  )
}

/** Replaces content that is not loaded yet. */
export const Loading = () => <p role="status">{useTexts('common').loading}</p>

export const Card = ({
  title,
  actions,
  children,
}: {
  readonly title?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}) => (
  <section className="card">
    {(title !== undefined || actions !== undefined) && (
      <div className="row">
        <h2>{title}</h2>
        <span className="end row">{actions}</span>
      </div>
    )}
    {children}
  </section>
)

/** A list without entries: what it will contain, and the way to the first. */
export const Empty = ({ title, children }: { readonly title: string; readonly children?: ReactNode }) => (
  <div className="empty">
    <h2>{title}</h2>
    {children}
  </div>
)

/** Details that most people do not need. */
export const Fold = ({
  title,
  onOpen,
  children,
}: {
  readonly title: ReactNode
  /** Called when somebody opens it, to load the content. */
  readonly onOpen?: () => void
  readonly children: ReactNode
}) => (
  <details className="fold" onToggle={onOpen}>
    <summary>{title}</summary>
    {children}
  </details>
)

export type Fact = readonly [label: ReactNode, value: ReactNode]

/** Labels and values. Facts without a value are left out. */
export const Facts = ({ facts }: { readonly facts: readonly Fact[] }) => (
  <dl className="facts">
    {facts
      .filter(([, value]) => value !== undefined && value !== null && value !== '')
      .map(([label, value], index) => (
        // The position identifies a fact: labels may repeat.
        <div key={index}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
)
