-- Notifications: what organisations are sent about their migrations, by webhook and by mail (S26).

-- An event is written in the transaction of the change that it reports, and sent after the commit, every time with the same content.
create table notification_events (
  id uuid primary key default gen_random_uuid(),
  position bigint generated always as identity,
  organisation_id uuid not null references organisations (id),
  kind text not null check (kind in (
    'migration.finished', 'migration.needs_review', 'migration.paused', 'migration.waiting_for_store',
    'migration.waiting_for_confirmation', 'store.mails_off', 'store.stock_not_restored', 'webhook.disabled', 'webhook.test'
  )),
  -- Null for events about a webhook.
  run_id uuid,
  -- Tells apart events of one kind about one run, where the same change could be reported twice; null where it cannot.
  occasion text,
  -- Ids, states and counts only.
  data jsonb not null,
  at timestamptz not null default now(),
  -- Null until its deliveries have been written.
  distributed_at timestamptz,
  unique (organisation_id, id),
  unique (run_id, kind, occasion),
  foreign key (organisation_id, run_id) references runs (organisation_id, id) on delete cascade
);
create index notification_events_to_distribute on notification_events (position) where distributed_at is null;
create index notification_events_by_time on notification_events (at);

-- Addresses that an organisation's owners have given.
create table webhooks (
  id uuid primary key,
  organisation_id uuid not null references organisations (id),
  url text not null,
  description text not null,
  -- Null: every kind, also those of later versions.
  events text[],
  enabled boolean not null default true,
  -- Why the service switched it off; null if it did not.
  disabled_because text check (disabled_because in ('failures', 'gone', 'access_removed')),
  -- When the first of the failures in a row happened.
  failing_since timestamptz,
  created_at timestamptz not null,
  unique (organisation_id, id)
);

-- What messages to a webhook are signed with. Two sign during a rotation.
create table webhook_secrets (
  id uuid primary key,
  organisation_id uuid not null,
  webhook_id uuid not null,
  secret_encrypted bytea not null,
  created_at timestamptz not null,
  -- Null for the present one.
  expires_at timestamptz,
  foreign key (organisation_id, webhook_id) references webhooks (organisation_id, id) on delete cascade
);
create unique index webhook_secrets_present on webhook_secrets (webhook_id) where expires_at is null;

-- Members who are sent mails, and about what.
create table notification_mails (
  organisation_id uuid not null,
  user_id uuid not null,
  events text[] not null,
  primary key (organisation_id, user_id),
  foreign key (organisation_id, user_id) references memberships (organisation_id, user_id) on delete cascade
);

-- One event for one webhook or one member.
create table notification_deliveries (
  id uuid primary key default gen_random_uuid(),
  organisation_id uuid not null,
  event_id uuid not null,
  webhook_id uuid,
  user_id uuid references users (id),
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
  tries integer not null default 0,
  -- While a try is under way, when another process may repeat it.
  next_try_at timestamptz not null,
  -- When it was written or last requested again; it is given up some days later.
  since timestamptz not null,
  created_at timestamptz not null,
  check ((webhook_id is null) <> (user_id is null)),
  unique (event_id, webhook_id),
  unique (event_id, user_id),
  unique (organisation_id, id),
  foreign key (organisation_id, event_id) references notification_events (organisation_id, id) on delete cascade,
  foreign key (organisation_id, webhook_id) references webhooks (organisation_id, id) on delete cascade
);
create index notification_deliveries_due on notification_deliveries (next_try_at) where state = 'pending';
create index notification_deliveries_by_time on notification_deliveries (organisation_id, created_at desc, id desc);

-- The log. It keeps nothing of what was answered except the status.
create table notification_tries (
  id bigint generated always as identity primary key,
  organisation_id uuid not null,
  delivery_id uuid not null,
  at timestamptz not null,
  duration_ms integer not null,
  http_status integer,
  -- Null if it was delivered.
  problem text,
  foreign key (organisation_id, delivery_id) references notification_deliveries (organisation_id, id) on delete cascade
);
create index notification_tries_by_delivery on notification_tries (delivery_id, id);
