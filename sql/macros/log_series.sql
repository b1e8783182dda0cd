-- log_series: ln((1 + s) / (1 - s)) for abs(s) <= 3 - 2 sqrt(2), as the polynomial of
-- fdlibm's e_log.c (Sun Microsystems 1993): s (2 + z Lg1 + z^2 Lg2 + ...), z = s^2.
-- Source: SCORING.md §3 (NLL), §7.
create or replace macro log_series(s) as
    s * (
        2e0 + s * s * (
            6.666666666666735130e-01 + s * s * (
                3.999999999940941908e-01 + s * s * (
                    2.857142874366239149e-01 + s * s * (
                        2.222219843214978396e-01 + s * s * (
                            1.818357216161805012e-01 + s * s * (
                                1.531383769920937332e-01
                                + s * s * 1.479819860511658591e-01
                            )
                        )
                    )
                )
            )
        )
    );
