import {
  AssignmentIcon,
  CloseIcon,
  CodeIcon,
  HomeIcon,
  InsertChartIcon,
  LogoutIcon,
  MenuIcon,
  NotificationsIcon,
  PublicIcon,
  ReceiptIcon,
  SettingsIcon,
  StoreIcon,
  SwapHorizIcon,
} from '@bigcommerce/big-design-icons'
import { useIsFetching, useQueryClient } from '@tanstack/react-query'
import { Link, Outlet, useLocation, useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { mayCall, type OperationName } from '../src/contract/accounts/permissions.ts'
import { offline } from './allowed.ts'
import { onLostAnswer } from './data/client.ts'
import { Keys, type Place } from './keys.tsx'
import { useOnline } from './online.ts'
import { paths, serverPages } from './paths.ts'
import { ProofDialog } from './proof-dialog.tsx'
import { type Organization, switchOrganization, useSession } from './session.tsx'
import { SignedOutDialog } from './signed-out-dialog.tsx'
import { StaleBar } from './stale-bar.tsx'
import { closing } from './ui/dialog.tsx'
import { PeopleIcon } from './ui/people-icon.tsx'
import { GivenReasons } from './ui/reasons.tsx'
import { useLayer } from './use-close-opened.ts'

/** What stays on every screen: the navigation, and messages about the whole tab. */
export function Shell() {
  const isOpening = useRouterState({ select: ({ status }) => status === 'pending' })
  const isLoading = useIsFetching({ predicate: ({ state }) => state.data === undefined }) > 0
  const isOnline = useOnline()
  const places = usePlaces()
  const queries = useQueryClient()
  // What is on the screen may have changed, or not.
  useEffect(() => onLostAnswer(() => void queries.invalidateQueries()), [queries])
  return (
    <div className="shell">
      <a className="skip-link" href="#content">
        Skip to content
      </a>
      <TopBar />
      <Rail />
      <main id="content" tabIndex={-1}>
        {(isOpening || isLoading) && <div className="loading-bar" />}
        {!isOnline && <OfflineBar />}
        <StaleBar />
        <GivenReasons value={isOnline ? online : isOffline}>
          <Outlet />
        </GivenReasons>
        <footer className="small-print">
          Independent project. BigCommerce is a trademark of BigCommerce Pty. Ltd. <Keys places={places} />
        </footer>
      </main>
      <ProofDialog />
      <SignedOutDialog />
    </div>
  )
}

interface RailLink {
  label: string
  to: string
  icon: ReactNode
  needs?: OperationName
  exact?: boolean
}

const memberLinks: RailLink[] = [
  { label: 'Home', to: paths.home, icon: <HomeIcon />, exact: true },
  { label: 'Migrations', to: paths.migrations, icon: <SwapHorizIcon />, needs: 'list-migrations' },
  { label: 'Stores', to: paths.stores, icon: <StoreIcon />, needs: 'list-stores' },
  { label: 'Members', to: paths.members, icon: <PeopleIcon />, needs: 'list-members' },
  { label: 'API access', to: paths.apiAccess, icon: <CodeIcon />, needs: 'get-credential-status' },
  { label: 'Notifications', to: paths.notifications, icon: <NotificationsIcon />, needs: 'list-webhooks' },
  { label: 'Audit', to: paths.audit, icon: <ReceiptIcon />, needs: 'list-audit' },
]
const administrationLinks: RailLink[] = [
  { label: 'Migrations', to: paths.allMigrations, icon: <SwapHorizIcon /> },
  { label: 'Organizations', to: paths.organizations, icon: <StoreIcon /> },
  { label: 'Capacity', to: paths.capacity, icon: <InsertChartIcon /> },
  { label: 'Audit', to: paths.allAudit, icon: <ReceiptIcon /> },
  { label: 'Administrators', to: paths.administrators, icon: <AssignmentIcon /> },
]

function useIsAdministration(): boolean {
  return useLocation({ select: ({ pathname }) => pathname.startsWith(paths.administration) })
}

function useRailLinks(): RailLink[] {
  const { organization } = useSession()
  const isAdministration = useIsAdministration()
  if (isAdministration) return administrationLinks
  return memberLinks.filter(({ needs }) => !needs || (organization && mayCall(organization.role, needs)))
}

const placeKeys: Record<string, string> = { Home: 'h', Migrations: 'm', Stores: 's' }

function usePlaces(): Place[] {
  return useRailLinks().flatMap(({ label, to }) => {
    const key = placeKeys[label]
    return key === undefined ? [] : [{ key, label, to }]
  })
}

function Rail() {
  const isAdministration = useIsAdministration()
  return (
    <aside className={isAdministration ? 'rail administration' : 'rail'}>
      <RailContent />
    </aside>
  )
}

function TopBar() {
  const [isOpen, setOpen] = useState(false)
  const isAdministration = useIsAdministration()
  const pathname = useLocation({ select: ({ pathname }) => pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address closes the menu
  useEffect(() => setOpen(false), [pathname])
  return (
    <header className={isAdministration ? 'top-bar administration' : 'top-bar'}>
      <Brand />
      <button type="button" className="bar-button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <MenuIcon title="Menu" />
      </button>
      {isOpen && (
        <MenuDialog isAdministration={isAdministration} onClose={() => setOpen(false)}>
          <RailContent />
        </MenuDialog>
      )}
    </header>
  )
}

function MenuDialog(props: { isAdministration: boolean; onClose: () => void; children: ReactNode }) {
  const { isAdministration, onClose, children } = props
  const dialog = useRef<HTMLDialogElement>(null)
  useLayer(onClose)
  // As in `Dialog`.
  useLayoutEffect(() => {
    const { current } = dialog
    current?.showModal()
    return () => current?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      className={isAdministration ? 'rail menu administration' : 'rail menu'}
      aria-label="Menu"
      {...closing(onClose)}
    >
      <button type="button" className="bar-button close" onClick={onClose}>
        <CloseIcon title="Close the menu" />
      </button>
      {children}
    </dialog>
  )
}

function Brand() {
  return (
    <Link className="brand" to={paths.home} activeOptions={{ exact: true }}>
      <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
        <path fill="currentColor" d="M2.5 16.5h27l-4 7.2a2.4 2.4 0 0 1-2.1 1.3H8.6a2.4 2.4 0 0 1-2.1-1.3z" />
        <path fill="currentColor" d="M8 15v-4.2a2 2 0 0 0 4-.4 2 2 0 0 0 4 0 2 2 0 0 0 4 0 2 2 0 0 0 4 .4V15z" />
        <path fill="currentColor" d="M8 8.6 9.6 5h12.8L24 8.6z" />
        <path
          fill="none"
          stroke="currentColor"
          strokeWidth="2"
          strokeLinecap="round"
          d="M3 28.6c2.2 0 2.2-1.2 4.3-1.2s2.2 1.2 4.4 1.2 2.1-1.2 4.3-1.2 2.2 1.2 4.3 1.2 2.2-1.2 4.4-1.2 2.1 1.2 4.3 1.2"
        />
      </svg>
      Storeferry
    </Link>
  )
}

function RailContent() {
  const links = useRailLinks()
  const isAdministration = useIsAdministration()
  return (
    <>
      <Brand />
      {isAdministration ? <p className="rail-title">Administration</p> : <OrganizationSwitcher />}
      <nav aria-label={isAdministration ? 'Administration' : 'Main'}>
        <ul>
          {links.map(({ label, to, icon, exact = false }) => (
            <li key={to}>
              <Link to={to} activeOptions={{ exact, includeSearch: false }} activeProps={{ 'aria-current': 'page' }}>
                {icon}
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <PersonMenu />
    </>
  )
}

function OrganizationSwitcher() {
  const { organizations, organization } = useSession()
  if (!organization) return null
  if (organizations.length === 1)
    return (
      <p className="rail-title">
        <bdi>{organization.name}</bdi>
      </p>
    )
  return (
    <label className="rail-switcher">
      <span className="unseen">Organization</span>
      <select value={organization.id} onChange={({ currentTarget }) => switchOrganization(currentTarget.value)}>
        {organizations.map(({ id, name }: Organization) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

function PersonMenu() {
  const { user, isAdministrator, organizations } = useSession()
  const isAdministration = useIsAdministration()
  return (
    <div className="person">
      <p>
        <bdi>
          {user.firstName} {user.lastName}
        </bdi>
        <small>
          <bdi>{user.email}</bdi>
        </small>
      </p>
      <ul>
        <li>
          <Link to={paths.profile} activeProps={{ 'aria-current': 'page' }}>
            <SettingsIcon />
            Profile
          </Link>
        </li>
        <li>
          <Link to={paths.assistants} activeProps={{ 'aria-current': 'page' }}>
            <AssignmentIcon />
            Connected assistants
          </Link>
        </li>
        {isAdministrator && !isAdministration && (
          <li>
            <Link to={paths.administration}>
              <PublicIcon />
              Administration
            </Link>
          </li>
        )}
        {isAdministration && organizations.length > 0 && (
          <li>
            <Link to={paths.home}>
              <StoreIcon />
              Your organization
            </Link>
          </li>
        )}
        <li>
          <form method="post" action={serverPages.signOut}>
            <button type="submit">
              <LogoutIcon />
              Sign out
            </button>
          </form>
        </li>
      </ul>
    </div>
  )
}

const offlineId = 'offline'
/** Without a connection, controls that are off for that refer to the bar. */
const isOffline = new Map([[offline, offlineId]])
const online = new Map<string, string>()

function OfflineBar() {
  return (
    <p className="offline-bar" role="status">
      <span id={offlineId}>{offline}</span> Migrations go on without you.
    </p>
  )
}
