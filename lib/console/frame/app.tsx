import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { connectionLine, isLost } from '../connection.ts'
import { formatNumber } from '../format.ts'
import { useConnection } from '../hooks/use-live.ts'
import { Bell } from '../notifications/bell.tsx'
import { sendHeld } from '../outbox/outbox.ts'
import { Shelf } from '../outbox/shelf.tsx'
import { Button, Icon } from '../parts/basics.tsx'
import { useLoadedDialog } from '../parts/dialog.tsx'
import { route } from '../route.ts'
import { isAdmin, loadSession, openSignIn, signInReason, signOut, user } from '../session.ts'
import { mayChange, settings } from '../settings.ts'
import { VIEWS } from '../views.ts'
import { useWaitingCounts, waiting } from '../waiting-counts.ts'
import { CurrentView } from './current-view.tsx'
import { SignIn, SiteSignIn } from './sign-in.tsx'

/** A button with a menu. Arrows, Home and End move, Escape and Tab close. */
function Menu({ label, items: choices }: { label: string; items: readonly { name: string; choose(): void }[] }) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const root = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLDivElement>(null)

  const focusItem = (index: number) => {
    const item = list.current?.children[(index + choices.length) % choices.length]
    if (item instanceof HTMLElement) item.focus()
  }
  function close() {
    setOpen(false)
    root.current?.querySelector('button')?.focus()
  }

  // A layout effect runs before the next key can be pressed.
  useLayoutEffect(() => {
    if (isOpen) focusItem(0)
  }, [isOpen])

  function move(event: KeyboardEvent) {
    const items: readonly (Element | null)[] = Array.from(list.current?.children ?? [])
    const index = items.indexOf(document.activeElement)
    const moves: Record<string, () => void> = {
      ArrowDown: () => focusItem(index + 1),
      ArrowUp: () => focusItem(index - 1),
      Home: () => focusItem(0),
      End: () => focusItem(-1),
      Escape: () => close(),
    }
    if (event.key === 'Tab') setOpen(false)
    const act = moves[event.key]
    if (act === undefined) return
    event.preventDefault()
    act()
  }

  return (
    <div
      class="menu"
      ref={root}
      onFocusOut={({ relatedTarget }) => {
        if (!(relatedTarget instanceof Node && root.current?.contains(relatedTarget))) setOpen(false)
      }}
    >
      <button
        type="button"
        // Safari focuses no clicked button without it, and leaving the menu would close it before the click.
        tabIndex={0}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <span class="clamped">{label}</span>
        <Icon name="chevron" />
      </button>
      {isOpen && (
        <div role="menu" class="popover" id={id} aria-label={label} ref={list} tabIndex={-1} onKeyDown={move}>
          {choices.map(({ name, choose }) => (
            <Button
              key={name}
              role="menuitem"
              class="quiet"
              tabIndex={-1}
              onClick={() => {
                close()
                choose()
              }}
              text={name}
            />
          ))}
        </div>
      )}
    </div>
  )
}

function Navigation() {
  // The frame would redraw the whole view with each count.
  useWaitingCounts()
  const [opened = 'discussions'] = route.value.path
  const links = VIEWS.filter(({ name, audience }) => name !== undefined && (audience !== 'admins' || isAdmin.value))
  const list = useRef<HTMLUListElement>(null)
  useEffect(
    () => list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' }),
    [opened, links.length],
  )

  return (
    <nav aria-label="Main">
      <ul ref={list}>
        {links.map(({ pattern, name }) => {
          const count = waiting.value[pattern] ?? 0
          return (
            <li key={pattern}>
              <a
                href={`#/${pattern}`}
                aria-current={opened === pattern ? 'page' : undefined}
                aria-describedby={count > 0 ? `waiting-${pattern}` : undefined}
              >
                {name}
              </a>
              {count > 0 && (
                <span class="count" id={`waiting-${pattern}`}>
                  {formatNumber(count)}
                  <span class="hidden"> waiting</span>
                </span>
              )}
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

function Account() {
  const { dialog, open } = useLoadedDialog()
  const isOwn = settings.signInUrl === undefined
  const choose = (name: keyof typeof import('./account-dialogs.tsx')) =>
    void open(async () => (await import('./account-dialogs.tsx'))[name])
  if (user.value === undefined) return null
  if (user.value === null) {
    return settings.signInUrl === undefined ? (
      <Button class="primary" onClick={openSignIn} text="Sign in" />
    ) : (
      <SiteSignIn signInUrl={settings.signInUrl} />
    )
  }
  return (
    <>
      <Menu
        label={user.value.userName}
        items={[
          { name: 'Account', choose: () => choose('AccountDialog') },
          ...(isOwn ? [{ name: 'Change password', choose: () => choose('ChangePassword') }] : []),
          { name: 'Presets', choose: () => choose('Presets') },
          ...(isOwn ? [{ name: 'Sign out', choose: () => void sendHeld().then(signOut) }] : []),
        ]}
      />
      {dialog}
    </>
  )
}

/** The frame of every view: navigation, account, connection line, notices and the dialogs that belong to no view. */
export function App() {
  useEffect(() => {
    void loadSession()
  }, [])
  useConnection('/comments')

  return (
    <>
      <div class="page">
        {/* biome-ignore lint/a11y/useValidAnchor: the part of the address behind # names the view. */}
        <a class="button primary hidden" href="#main" onClick={skipToMain}>
          Skip to the content
        </a>
        <header class="row nowrap top">
          <a class="brand" href="#/discussions">
            gamehall
          </a>
          <Navigation />
          <p role="status" aria-label="Connection" class={`row nowrap muted connection ${isLost.value ? 'lost' : ''}`}>
            {connectionLine}
          </p>
          <div class="row account">
            {user.value && <Bell key={user.value.userId} />}
            <Account />
          </div>
        </header>
        {!mayChange && (
          <p class="flag warn" role="alert">
            This address may read, but not change anything. Open{' '}
            <a href={`${settings.publicUrl}/console`}>{settings.publicUrl}</a> instead.
          </p>
        )}
        <main id="main" tabIndex={-1}>
          <CurrentView />
        </main>
        <footer class="muted bottom">
          <p>
            gamehall {settings.version} · <a href="docs">API and events</a>
          </p>
        </footer>
      </div>
      <Shelf />
      {signInReason.value !== undefined && <SignIn />}
    </>
  )
}

/** Moves the focus itself: the fragment of the address names a view, not an element. */
function skipToMain(event: Event) {
  event.preventDefault()
  document.getElementById('main')?.focus()
}
