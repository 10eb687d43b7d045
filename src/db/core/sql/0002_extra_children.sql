-- Children that a run left on a copy although the source does not have them. `replace` looks at such an item even if nothing else
-- about it has changed (G17). Null where no run has looked since the column exists.
alter table mappings add column extra_children boolean;
