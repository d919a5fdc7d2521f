-- The audit log is read newest first, by id: ids grow with the time of the entry.
drop index audit_log_actor_idx;
drop index audit_log_company_id_idx;
create index audit_log_actor on audit_log (actor, id);
create index audit_log_action on audit_log (action, id);
create index audit_log_subject on audit_log (subject, id);
create index audit_log_company on audit_log (company_id, id);
