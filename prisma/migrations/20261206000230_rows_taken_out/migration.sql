-- R-056, R-086: whoever takes the rows of a provider's report out as a file is on record, as every export is.
INSERT INTO review.audit_event_types (event, app_outcomes) VALUES ('incident.report_exported', '{refused,done}');
