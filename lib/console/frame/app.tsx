import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { connectionLine, isLost } from '../connection.ts'
import { formatNumber } from '../format.ts'
import { Bell } from '../notifications/bell.tsx'
import { sendHeld } from '../outbox/outbox.ts'
import { Shelf } from '../outbox/shelf.tsx'
import { Button, Icon } from '../parts/basics.tsx'
import { moveFocus } from '../parts/move-focus.ts'
import { useConnection } from '../parts/query.tsx'
import { route } from '../route.ts'
import { isAdmin, loadSession, signInReason, signOut, user } from '../session.ts'
import { mayChange, settings } from '../settings.ts'
import { VIEWS } from '../views.ts'
import { useWaitingCounts, waiting } from '../waiting-counts.ts'
import { AccountDialog, ChangePassword, Presets } from './account-dialogs.tsx'
import { CurrentView } from './current-view.tsx'
import { SignIn, SignInButton } from './sign-in.tsx'

/** A button with a menu, in which arrows, Home and End move. The browser closes the menu and returns the focus. */
function Menu({ label, choices }: { label: string; choices: Readonly<Record<string, () => void>> }) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Tab') list.current?.hidePopover()
    moveFocus(event, 'ArrowUp', 'ArrowDown')
  }

  return (
    <div class="menu">
      {/* Safari focuses no clicked button without a `tabIndex`. */}
      <button type="button" tabIndex={0} aria-haspopup="menu" popovertarget={id}>
        <span class="clamped">{label}</span>
        <Icon name="chevron" />
      </button>
      <div
        role="menu"
        class="popover"
        popover="auto"
        id={id}
        aria-label={label}
        ref={list}
        tabIndex={-1}
        onKeyDown={onKeyDown}
      >
        {Object.entries(choices).map(([name, choose], index) => (
          <Button
            key={name}
            role="menuitem"
            class="quiet"
            tabIndex={-1}
            autofocus={index === 0}
            onClick={() => {
              // The focus is back on the button before a dialog takes it. A browser without popovers has nothing to hide.
              list.current?.hidePopover?.()
              choose()
            }}
            text={name}
          />
        ))}
      </div>
    </div>
  )
}

function Navigation() {
  // The counts are read here, because the frame would redraw the whole view with each count.
  useWaitingCounts()
  const [opened = 'discussions'] = route.value.path
  const links = VIEWS.filter(({ name, audience }) => name !== undefined && (audience !== 'admins' || isAdmin.value))
  const list = useRef<HTMLUListElement>(null)
  // The links scroll on a narrow screen.
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
  const [Opened, setOpened] = useState<typeof AccountDialog>()
  const opening = (dialog: typeof AccountDialog) => () => setOpened(() => dialog)
  const isOwn = settings.signInUrl === undefined
  if (user.value === undefined) return null
  if (user.value === null) return <SignInButton />
  return (
    <>
      <Menu
        label={user.value.userName}
        choices={{
          Account: opening(AccountDialog),
          ...(isOwn && { 'Change password': opening(ChangePassword) }),
          Presets: opening(Presets),
          ...(isOwn && { 'Sign out': () => void sendHeld().then(signOut) }),
        }}
      />
      {Opened && <Opened onClose={() => setOpened(undefined)} />}
    </>
  )
}

/** Moves the focus by script, because the fragment of the address names a view. */
function skipToMain(event: Event) {
  event.preventDefault()
  document.getElementById('main')?.focus()
}

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
          <p role="status" aria-label="Connection" class={`row nowrap muted connection ${isLost.value ? 'bad' : ''}`}>
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
