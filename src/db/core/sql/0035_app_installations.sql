-- Stores that have installed the app (S1). A store has one installation, which one organisation can claim.
create table app_installations (
  hash text primary key check (hash ~ '^[a-z0-9]{1,20}$'),
  -- By the platform's clock: callbacks that it signed earlier are about a previous installation.
  installed_at timestamptz not null,
  -- Only until an owner claims it; then the token belongs to the store's row.
  token_encrypted bytea,
  -- SHA-256 of the key in the link to the page where an owner claims it.
  claim_hash bytea unique,
  claim_until timestamptz,
  organisation_id uuid,
  store_id uuid unique,
  foreign key (organisation_id, store_id) references stores (organisation_id, id) on delete cascade,
  constraint claimed_or_claimable check (
    case when store_id is null
      then num_nulls(token_encrypted, claim_hash, claim_until) = 0 and organisation_id is null
      else num_nonnulls(token_encrypted, claim_hash, claim_until) = 0 and organisation_id is not null
    end)
);

-- When the app that the token is of was uninstalled. The store is disconnected as soon as none of its migrations is in progress.
alter table stores add column uninstalled_at timestamptz;
