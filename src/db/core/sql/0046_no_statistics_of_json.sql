-- No condition is about the whole JSON of a column, but ANALYZE sorted it to find its commonest values: for the starting
-- stock of 27,000 products at nine locations, that took 1.7 of its 1.8 seconds.
do $$
declare
  one record;
begin
  for one in
    select t.relname as name, c.attname as field
    from pg_class t
    join pg_attribute c on c.attrelid = t.oid and c.attnum > 0 and not c.attisdropped
    where t.relnamespace = current_schema()::regnamespace and t.relkind in ('r', 'p')
      and c.atttypid in ('json'::regtype, 'jsonb'::regtype)
  loop
    execute format('alter table %I alter column %I set statistics 0', one.name, one.field);
  end loop;
end $$;
